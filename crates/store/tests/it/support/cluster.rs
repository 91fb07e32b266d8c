//! A private PostgreSQL: one cluster for a run of the tests, one database for each test.
//!
//! Test runners start one process for each test, so the first that needs the cluster makes it,
//! under a lock, and a small watcher takes it down when the runner is gone.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, id};
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// The address of a new, empty database; or why there is none.
pub(crate) async fn database() -> Result<String, String> {
    let folder =
        tokio::task::spawn_blocking(cluster).await.map_err(|error| error.to_string())??;
    let name = format!("t{}_{}", id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let admin = address(&folder, "postgres");
    let mut connection = PgConnection::connect(&admin).await.map_err(|error| error.to_string())?;
    let create = format!("CREATE DATABASE {name}");
    connection.execute(AssertSqlSafe(create)).await.map_err(|error| error.to_string())?;
    Ok(address(&folder, &name))
}

fn address(folder: &Path, database: &str) -> String {
    format!("postgres://postgres@localhost/{database}?host={}", folder.display())
}

/// The folder of the running cluster, started if need be. Its socket lies there too.
fn cluster() -> Result<PathBuf, String> {
    let bin = binaries().ok_or("initdb is not installed")?;
    let folder = std::env::temp_dir().join(format!("rebuttal-pg-{}", parent_id()));
    let lock = folder.with_extension("lock");
    let lock = File::create(&lock).map_err(|error| error.to_string())?;
    lock.lock().map_err(|error| error.to_string())?;
    if !folder.join("ready").exists() {
        start(&bin, &folder)?;
        fs::write(folder.join("ready"), "").map_err(|error| error.to_string())?;
    }
    Ok(folder)
}

/// Where `initdb` lies: on the path, or where Debian puts it.
fn binaries() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = fs::read_dir("/usr/lib/postgresql") {
        folders.extend(versions.flatten().map(|version| version.path().join("bin")));
    }
    let has = |folder: &PathBuf| folder.join("initdb").exists() && folder.join("pg_ctl").exists();
    folders.into_iter().find(has)
}

fn start(bin: &Path, folder: &Path) -> Result<(), String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir(folder).map_err(|error| error.to_string())?;
    if is_root() {
        run(Command::new("chown").arg("postgres").arg(folder))?;
    }
    let data = folder.join("data");
    let initdb = ["--auth=trust", "--no-sync", "--username=postgres", "--encoding=UTF8", "-D"];
    run(as_postgres(&bin.join("initdb")).args(initdb).arg(&data))?;
    let options = format!(
        "-c listen_addresses='' -c unix_socket_directories={} -c fsync=off \
         -c synchronous_commit=off -c full_page_writes=off -c max_connections=200",
        folder.display()
    );
    let log = folder.join("log");
    let pg_ctl = bin.join("pg_ctl");
    run(as_postgres(&pg_ctl)
        .arg("-D")
        .arg(&data)
        .arg("-w")
        .arg("-t")
        .arg("300")
        .arg("-l")
        .arg(log)
        .arg("-o")
        .arg(&options)
        .arg("start"))?;
    watch(&pg_ctl, folder).map_err(|error| error.to_string())
}

/// Takes the cluster down when whoever runs the tests is gone.
fn watch(pg_ctl: &Path, folder: &Path) -> io::Result<()> {
    let su = if is_root() { "runuser -u postgres -- " } else { "" };
    let script = format!(
        "while kill -0 {parent} 2>/dev/null; do sleep 1; done; \
         {su}{pg_ctl} -D {folder}/data -m immediate stop; rm -rf {folder} {folder}.lock",
        parent = parent_id(),
        pg_ctl = pg_ctl.display(),
        folder = folder.display()
    );
    Command::new("setsid")
        .args(["sh", "-c", &script])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|user| user.stdout.trim_ascii() == b"0")
}

/// PostgreSQL refuses to run as root.
fn as_postgres(program: &Path) -> Command {
    if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        return command;
    }
    Command::new(program)
}

fn run(command: &mut Command) -> Result<(), String> {
    let command = command.current_dir("/").stdin(Stdio::null());
    // pg_ctl leaves a server behind that keeps what it was given open.
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ended with {status}", command.get_program().display())),
        Err(error) => Err(format!("{} cannot be run: {error}", command.get_program().display())),
    }
}
