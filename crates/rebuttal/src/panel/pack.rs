//! The evidence that comes with the program: notes of an invented company about moving to Kubernetes.

use rebuttal_evidence::Document;
use rebuttal_model::Passage;

use super::Material;

/// The question that the notes are about.
pub const EXAMPLE: &str = "Should we migrate to Kubernetes?";

/// A note by the name of its file.
macro_rules! note {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../assets/evidence/kubernetes/", $name)))
    };
}

/// The notes, in the order of their names.
const NOTES: [(&str, &str); 30] = [
    note!("01-where-we-stand.md"),
    note!("02-case-for-migration.md"),
    note!("03-pilot-report.md"),
    note!("04-pilot-account.md"),
    note!("05-hosting-bill.md"),
    note!("06-hosting-estimate.md"),
    note!("07-incidents-2024.md"),
    note!("08-status-page.md"),
    note!("09-on-call.md"),
    note!("10-staffing.md"),
    note!("11-survey.md"),
    note!("12-faster-ansible.md"),
    note!("13-stateful.md"),
    note!("14-security.md"),
    note!("15-audit.md"),
    note!("16-retailer.md"),
    note!("17-insurer.md"),
    note!("18-agency.md"),
    note!("19-bank.md"),
    note!("20-logistics.md"),
    note!("21-managed-offer.md"),
    note!("22-load.md"),
    note!("23-roadmap.md"),
    note!("24-contract.md"),
    note!("25-training.md"),
    note!("26-recruiting.md"),
    note!("27-swarm-of-small.md"),
    note!("28-incident-cluster.md"),
    note!("29-incident-vm.md"),
    note!("30-licences.md"),
];

/// Whether the example is about what is asked: moving to Kubernetes, yes or no.
pub(super) fn fits(material: &Material) -> bool {
    let words = material.question.to_lowercase();
    let names = ["kubernetes", "k8s"].iter().any(|name| words.contains(name));
    let moves =
        ["migrat", "move", "moving", "switch", "adopt"].iter().any(|verb| words.contains(verb));
    names && moves && material.options.is_empty()
}

/// What the notes say.
pub fn passages() -> Vec<Passage> {
    let documents = NOTES.iter().map(|(name, text)| Document::of_text(name, text));
    documents.flat_map(|document| document.passages).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_note_of_the_folder_is_in_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/evidence/kubernetes");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(NOTES.map(|(name, _)| name.to_owned()).to_vec(), files);
    }

    #[test]
    fn every_note_says_when_and_by_whom_it_was_written() {
        for passage in passages() {
            assert!(passage.date.is_some(), "{}", passage.document);
            assert!(passage.source.is_some(), "{}", passage.document);
        }
    }
}
