# Sourced by the scripts beside it: Debian packages, where this user may install them.

# How to become root without a question: "" as root, "sudo -n env" with passwordless sudo; else fails.
apt_root() {
    command -v apt-get >/dev/null || return 1
    if [ "$(id -u)" -eq 0 ]; then
        echo env
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        echo sudo -n env
    else
        return 1
    fi
}

# Installs the packages named. Fails, with what apt said, where that is not possible. Never asks.
apt_install() {
    local root log
    root=$(apt_root) || return 1
    log=$(mktemp)
    set -- $root DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 \
        install --no-install-recommends "$@"
    # the package lists may be absent or old: fetch them only when the first try shows it
    if "$@" >"$log" 2>&1 </dev/null ||
        { $root apt-get -q update >>"$log" 2>&1 </dev/null && "$@" >>"$log" 2>&1 </dev/null; }; then
        rm -f "$log"
        return 0
    fi
    echo "apt-get could not install them:" >&2
    tail -n 15 "$log" >&2
    rm -f "$log"
    return 1
}
