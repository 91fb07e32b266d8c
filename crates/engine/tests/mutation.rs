//! The mutation score in small: a few variations of each kind, run by the real engine.

#[cfg(test)]
#[path = "../examples/mutation/harness/mod.rs"]
#[expect(dead_code, reason = "the page is the example's business")]
mod harness;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::harness::{
        Batch, FAULTS, HEALTHY, Half, Kind, Makers, Panel, Ran, Share, Written, measure, run,
    };

    /// Variations of each kind, of the development half: a test that judges the held-out half would
    /// tune on it.
    const SEEDS: [u64; 2] = [0, 2];

    fn run_all(kinds: &[Kind]) -> Vec<Ran> {
        let makers = Makers::read().unwrap();
        let seeds =
            |kind: &Kind| SEEDS.into_iter().map(|seed| Panel::make(&makers, *kind, seed)).collect();
        let panels = kinds.iter().flat_map(|kind| -> Vec<Panel> { seeds(kind) });
        panels.map(|panel| run(panel).unwrap()).collect()
    }

    #[test]
    fn faults_are_killed_and_sound_panels_are_left_alone() {
        let (faults, healthy) = (run_all(&FAULTS), run_all(&HEALTHY));
        let measured = measure(&faults, &healthy);
        let both = |[one, two]: [super::harness::Share; 2]| super::harness::Share {
            hits: one.hits + two.hits,
            all: one.all + two.all,
        };
        let missed: Vec<String> = faults
            .iter()
            .filter(|ran| !ran.is_killed())
            .map(|ran| format!("{}:{}", ran.panel.kind.name, ran.panel.seed))
            .collect();
        // Looser than what the page shows: so few panels are a smoke test.
        assert!(both(measured.killed).value() >= 0.8, "missed: {missed:?}");
        assert!(both(measured.stepped_in).value() <= 0.15, "{:?}", measured.stepped_in);
    }

    #[test]
    fn the_halves_share_no_field_and_no_wording() {
        let makers = Makers::read().unwrap();
        let fields = |half: Half| -> BTreeSet<&str> {
            let seeds = (0..60).filter(|seed| Half::of(*seed) == half);
            let kinds = FAULTS.into_iter().chain(HEALTHY);
            let panels = kinds.flat_map(|kind| seeds.clone().map(move |seed| (kind, seed)));
            panels.map(|(kind, seed)| Panel::make(&makers, kind, seed).domain).collect()
        };
        let (development, held_out) = (fields(Half::Development), fields(Half::HeldOut));
        assert_eq!((development.len(), held_out.len()), (11, 5));
        assert!(development.is_disjoint(&held_out), "{development:?} {held_out:?}");

        let wordings = |text: &'static str| -> BTreeSet<&str> {
            text.lines().filter(|line| line.contains(' ') && !line.starts_with('#')).collect()
        };
        let shown = wordings(include_str!("../examples/mutation/harness/phrases.txt"));
        let hidden = wordings(include_str!("../examples/mutation/harness/phrases_held_out.txt"));
        let both: Vec<_> = shown.intersection(&hidden).collect();
        assert!(!hidden.is_empty() && both.is_empty(), "in both halves: {both:?}");
    }

    #[test]
    fn people_who_write_differently_are_not_taken_for_hollow() {
        let panels = Batch::First.panels().unwrap();
        let registers: BTreeSet<&str> = panels.iter().map(|panel| panel.register).collect();
        assert!(panels.len() >= 120 && registers.len() >= 10, "{registers:?}");
        // Every third is enough for a smoke test; the page has them all.
        let some = panels.into_iter().step_by(3).map(|panel| run(panel).unwrap()).collect();
        let Written { faults, sound } = Written::of(some);
        let killed = Share::of(faults.iter().map(Ran::is_killed));
        let alarmed = Share::of(sound.iter().map(Ran::is_alarmed));
        assert!(killed.value() >= 0.85 && alarmed.value() <= 0.15, "{killed:?} {alarmed:?}");
    }

    #[test]
    fn a_seed_is_a_panel() {
        let makers = Makers::read().unwrap();
        let text = |kind: Kind, seed: u64| -> String {
            let panel = Panel::make(&makers, kind, seed);
            let turns: Vec<_> = panel.scripts.iter().flat_map(|script| &script.turns).collect();
            format!("{turns:?}")
        };
        for kind in FAULTS.into_iter().chain(HEALTHY) {
            assert_eq!(text(kind, 3), text(kind, 3), "{}", kind.name);
            assert_ne!(text(kind, 3), text(kind, 5), "{}", kind.name);
            for seed in 0..20 {
                let text = text(kind, seed);
                assert!(
                    !text.contains(['<', '|', '#']),
                    "a slot is left open in {}: {text}",
                    kind.name
                );
            }
        }
    }
}
