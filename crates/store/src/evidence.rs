//! The documents that may be cited, by name: kept whole, so that what has not changed is not read again.

use crate::sql::{Args, Durability};
use crate::{Result, Store};

/// A document as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptDocument {
    /// The path under which it was given.
    pub name: String,
    /// A hash of the file's bytes.
    pub hash: String,
    /// How many passages it has.
    pub passages: u64,
    /// The document as JSON; empty in lists.
    pub body: String,
}

impl Store {
    /// All documents in the order of their names, without their bodies.
    pub async fn evidence_list(&self) -> Result<Vec<KeptDocument>> {
        let sql = "SELECT name, hash, passages, '' FROM evidence ORDER BY name";
        self.db.rows(sql, Args::none()).await?.into_iter().map(document).collect()
    }

    /// All documents in the order of their names.
    pub async fn evidence(&self) -> Result<Vec<KeptDocument>> {
        let sql = "SELECT name, hash, passages, body FROM evidence ORDER BY name";
        self.db.rows(sql, Args::none()).await?.into_iter().map(document).collect()
    }

    /// Keeps documents, each in place of the one with its name, and forgets those named in `gone`.
    pub async fn keep_evidence(&self, documents: &[KeptDocument], gone: &[String]) -> Result<()> {
        let mut tx = self.db.begin(Durability::Fast).await?;
        for name in documents.iter().map(|it| &it.name).chain(gone) {
            tx.run("DELETE FROM evidence WHERE name = $1", Args::none().text(name.as_str()))
                .await?;
        }
        for KeptDocument { name, hash, passages, body } in documents {
            let sql = "INSERT INTO evidence (name, hash, passages, body) VALUES ($1, $2, $3, $4)";
            let args = Args::none().text(name.as_str()).text(hash.as_str()).count(*passages);
            tx.run(sql, args.text(body.as_str())).await?;
        }
        tx.commit().await
    }
}

fn document(mut row: crate::sql::Row) -> Result<KeptDocument> {
    Ok(KeptDocument {
        name: row.text()?,
        hash: row.text()?,
        passages: row.count()?,
        body: row.text()?,
    })
}
