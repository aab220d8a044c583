CREATE TABLE documents (
            sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64),
            name TEXT NOT NULL,
            size INTEGER NOT NULL,
            pages INTEGER,
            kind TEXT,
            language TEXT NOT NULL DEFAULT '',
            added TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'read', 'failed')),
            error TEXT NOT NULL DEFAULT ''
        , own TEXT NOT NULL DEFAULT '', locked INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE readings (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            reader TEXT NOT NULL,
            kind TEXT NOT NULL,
            language TEXT NOT NULL,
            bookmarks TEXT NOT NULL, complete INTEGER NOT NULL DEFAULT 1, repaired TEXT NOT NULL DEFAULT '', settings TEXT NOT NULL DEFAULT '',
            UNIQUE (sha256, profile, reader)
        ) STRICT;
CREATE TABLE pages (
            reading INTEGER NOT NULL REFERENCES readings ON DELETE CASCADE,
            number INTEGER NOT NULL,
            width REAL NOT NULL,
            height REAL NOT NULL,
            origin TEXT NOT NULL,
            health REAL NOT NULL,
            reasons TEXT NOT NULL,
            words BLOB NOT NULL,
            boxes BLOB NOT NULL,
            sizes BLOB NOT NULL,
            font_ids BLOB NOT NULL,
            rotations BLOB NOT NULL,
            confidences BLOB NOT NULL,
            fonts TEXT NOT NULL, rules BLOB NOT NULL DEFAULT x'66', cells BLOB NOT NULL DEFAULT x'66',
            UNIQUE (reading, number)
        ) STRICT;
CREATE TABLE statements (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            engine TEXT NOT NULL,
            reader TEXT NOT NULL,
            body TEXT NOT NULL, book TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (sha256, profile, engine, reader)
        ) STRICT;
CREATE TABLE truths (
            sha256 TEXT PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
            body TEXT NOT NULL
        ) STRICT;
CREATE TABLE jobs (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            engine TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'queued'
                CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
            done INTEGER NOT NULL DEFAULT 0,
            total INTEGER NOT NULL DEFAULT 0,
            message TEXT NOT NULL DEFAULT '',
            unwanted INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            created TEXT NOT NULL,
            finished TEXT
        , asker TEXT NOT NULL DEFAULT '', started TEXT) STRICT;
CREATE INDEX jobs_documents ON jobs (sha256);
CREATE UNIQUE INDEX jobs_live ON jobs (kind, sha256, profile, engine)
        WHERE state IN ('queued', 'running') AND NOT unwanted;
CREATE TABLE outlines (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            reader TEXT NOT NULL,
            sections INTEGER NOT NULL,
            PRIMARY KEY (sha256, profile)
        ) STRICT;
CREATE TABLE parses (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            reader TEXT NOT NULL,
            settings TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            made TEXT NOT NULL,
            UNIQUE (sha256, profile, reader)
        ) STRICT;
CREATE TABLE sections (
            parse INTEGER NOT NULL REFERENCES parses ON DELETE CASCADE,
            section_id TEXT NOT NULL,
            parent_id TEXT,
            page INTEGER NOT NULL,
            title TEXT NOT NULL,
            content TEXT NOT NULL,
            level INTEGER NOT NULL,
            number TEXT,
            anchor TEXT,
            position INTEGER NOT NULL,
            places TEXT NOT NULL,
            tables TEXT NOT NULL, context TEXT NOT NULL DEFAULT '[]',
            PRIMARY KEY (parse, section_id),
            FOREIGN KEY (parse, parent_id) REFERENCES sections (parse, section_id)
        ) STRICT;
CREATE INDEX sections_parent ON sections (parse, parent_id);
CREATE TABLE shelves (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sha256 TEXT NOT NULL UNIQUE REFERENCES documents ON DELETE CASCADE,
            parse INTEGER NOT NULL UNIQUE REFERENCES parses ON DELETE CASCADE,
            model TEXT NOT NULL DEFAULT '',
            first_chunk INTEGER NOT NULL DEFAULT 0,
            heads BLOB NOT NULL DEFAULT x''
        ) STRICT;
CREATE TABLE passages (
            id INTEGER PRIMARY KEY,
            shelf INTEGER NOT NULL REFERENCES shelves ON DELETE CASCADE,
            parse INTEGER NOT NULL,
            section_id TEXT NOT NULL,
            anchor TEXT,
            path TEXT NOT NULL,
            FOREIGN KEY (parse, section_id) REFERENCES sections (parse, section_id) ON DELETE CASCADE
        ) STRICT;
CREATE INDEX passages_shelf ON passages (shelf);
CREATE UNIQUE INDEX passages_section ON passages (parse, section_id);
CREATE INDEX passages_anchor ON passages (anchor);
CREATE INDEX passages_path ON passages (path);
CREATE TABLE chunks (
            id INTEGER PRIMARY KEY,
            passage INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
            section_id TEXT NOT NULL,
            parent_id TEXT,
            part INTEGER NOT NULL,
            vector BLOB NOT NULL
        ) STRICT;
CREATE INDEX chunks_passage ON chunks (passage);
CREATE VIRTUAL TABLE passage_words USING fts5 (
            title, body, codes, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
        );
CREATE TRIGGER passages_gone AFTER DELETE ON passages
        BEGIN DELETE FROM passage_words WHERE rowid = old.id; END;
CREATE TABLE asked (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            question TEXT NOT NULL,
            answer TEXT NOT NULL,
            asked TEXT NOT NULL
        ) STRICT;
CREATE INDEX asked_document ON asked (sha256);
CREATE TABLE upkeep (deleted INTEGER NOT NULL) STRICT;
CREATE TRIGGER documents_gone AFTER DELETE ON documents BEGIN UPDATE upkeep SET deleted = 1; END;
CREATE TABLE decisions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            finding TEXT NOT NULL,
            sequence INTEGER NOT NULL CHECK (sequence > 0),
            mark TEXT NOT NULL,
            action TEXT NOT NULL CHECK (action IN ('approve', 'correct', 'reject', 'split', 'add', 'undo')),
            parts TEXT NOT NULL,
            before TEXT NOT NULL,
            who TEXT NOT NULL,
            made TEXT NOT NULL,
            UNIQUE (finding, sequence)
        ) STRICT;
CREATE INDEX decisions_document ON decisions (sha256);
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
        BEGIN SELECT RAISE(ABORT, 'a decision is never changed'); END;
CREATE TRIGGER decisions_end BEFORE DELETE ON decisions
        WHEN EXISTS (SELECT 1 FROM documents WHERE sha256 = old.sha256)
        BEGIN SELECT RAISE(ABORT, 'a decision ends with its document'); END;
CREATE TABLE invoices (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            engine TEXT NOT NULL,
            reader TEXT NOT NULL,
            settings TEXT NOT NULL,
            seconds REAL NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (sha256, profile, engine)
        ) STRICT;
CREATE TABLE calls (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            request TEXT NOT NULL,
            purpose TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            run TEXT NOT NULL,
            model TEXT NOT NULL,
            prompt TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('sent', 'answered', 'failed')),
            reply TEXT,
            fault TEXT NOT NULL DEFAULT '',
            input INTEGER NOT NULL DEFAULT 0,
            output INTEGER NOT NULL DEFAULT 0,
            cache_write INTEGER NOT NULL DEFAULT 0,
            cache_read INTEGER NOT NULL DEFAULT 0,
            nanodollars INTEGER NOT NULL,
            seconds REAL NOT NULL DEFAULT 0,
            made TEXT NOT NULL
        , batch TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX calls_request ON calls (request);
CREATE INDEX calls_batch ON calls (batch) WHERE batch != '';
CREATE INDEX calls_sha256 ON calls (sha256);
CREATE INDEX calls_run ON calls (run);
CREATE INDEX calls_made ON calls (made);
CREATE TABLE extractions (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            name TEXT NOT NULL,
            made TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (sha256, name)
        ) STRICT;
CREATE TABLE queue_results (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            stamp TEXT NOT NULL,
            verdict TEXT NOT NULL,
            decided INTEGER NOT NULL,
            UNIQUE (sha256, kind, key)
        ) STRICT;
CREATE TABLE queue_questions (
            result INTEGER NOT NULL REFERENCES queue_results ON DELETE CASCADE,
            position INTEGER NOT NULL,
            question TEXT NOT NULL,
            worth REAL NOT NULL,
            PRIMARY KEY (result, position)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX queue_order ON queue_questions (worth DESC, result, position);
CREATE TRIGGER queue_statements_insert AFTER INSERT ON statements BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_statements_update AFTER UPDATE ON statements BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_statements_delete AFTER DELETE ON statements BEGIN DELETE FROM queue_results WHERE sha256 = old.sha256; END;
CREATE TRIGGER queue_invoices_insert AFTER INSERT ON invoices BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_invoices_update AFTER UPDATE ON invoices BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_invoices_delete AFTER DELETE ON invoices BEGIN DELETE FROM queue_results WHERE sha256 = old.sha256; END;
CREATE TRIGGER queue_extractions_insert AFTER INSERT ON extractions BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_extractions_update AFTER UPDATE ON extractions BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_extractions_delete AFTER DELETE ON extractions BEGIN DELETE FROM queue_results WHERE sha256 = old.sha256; END;
CREATE TRIGGER queue_decisions_insert AFTER INSERT ON decisions BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_decisions_update AFTER UPDATE ON decisions BEGIN DELETE FROM queue_results WHERE sha256 = new.sha256; END;
CREATE TRIGGER queue_decisions_delete AFTER DELETE ON decisions BEGIN DELETE FROM queue_results WHERE sha256 = old.sha256; END;
CREATE TABLE bots (bot INTEGER PRIMARY KEY, next INTEGER NOT NULL) STRICT;
CREATE TABLE posts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            bot INTEGER NOT NULL,
            chat INTEGER NOT NULL,
            sha256 TEXT REFERENCES documents ON DELETE CASCADE,
            finding TEXT NOT NULL DEFAULT '',
            sequence INTEGER NOT NULL DEFAULT 0,
            text TEXT NOT NULL,
            answers INTEGER,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'open', 'closed')),
            message INTEGER,
            made TEXT NOT NULL
        ) STRICT;
CREATE INDEX posts_messages ON posts (bot, chat, message);
CREATE INDEX posts_states ON posts (bot, state);
CREATE TABLE verifications (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            digest TEXT NOT NULL,
            supplied TEXT NOT NULL,
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            schema_name TEXT NOT NULL,
            schema TEXT NOT NULL,
            profile TEXT NOT NULL DEFAULT '',
            reader TEXT NOT NULL DEFAULT '',
            body TEXT NOT NULL DEFAULT '',
            seconds REAL NOT NULL DEFAULT 0,
            total INTEGER,
            in_review INTEGER,
            UNIQUE (sha256, digest)
        ) STRICT;
CREATE TABLE measures (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            suite TEXT NOT NULL,
            arm TEXT NOT NULL,
            model TEXT NOT NULL,
            prompt TEXT NOT NULL,
            made TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
CREATE TRIGGER documents_calls AFTER DELETE ON documents
        BEGIN UPDATE calls SET reply = NULL, sha256 = '', fault = '' WHERE sha256 = old.sha256; END;
INSERT INTO upkeep VALUES (0);
