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
        ) STRICT;
