//! Own sentences, own answers.

use rebuttal_model::QualityWeights;

use super::*;

const LOAD_TEST: &str = "We ran a load test on 12 March 2025 (run LT-4821) with 2,000 requests per second for 30 minutes. \
The p99 latency was 180 ms and the error rate stayed at 0.02%. Because the connection pool was saturated at 85 connections, \
we raised its limit to 200, which cut p99 to 95 ms. For example, the checkout endpoint went from 210 ms to 101 ms. \
Therefore the pool, not the database, limits throughput.";

#[test]
fn a_look() {
    for text in [
        LOAD_TEST,
        "[1] [2] [3] blah. therefore 1 because 2 thus 3 for example 4% hence 5% since 6% https://x",
        "Because data shows therefore 40% [1] for example thus hence according to study 2023 improved.",
        "By 2050 and 2060 and 2090 everything will be better and bigger.",
        "According to me and my gut feeling this is the best database in the world.",
        "We run 5 services and 3 systems and 12 microservices and 4 daemons.",
        "Since 2010 I have lived here. Since yesterday it rains, and since Monday it is cold.",
        "The 2023 Gartner survey of 412 firms found that outages fell by 18%.",
        "This is widely seen as the best approach [1]. It brings significant benefits to everyone [2]. Many experts agree that it is effective [3].",
        "Retries hide the fault. The vendor's incident report INC-2231 shows 14 timeouts on 3 May, so raising the limit would only move the queue.",
    ] {
        let e = read(text, &QualityWeights::default());
        println!("\n{:?}\n{text}", e.quality);
        for c in &e.claims {
            println!(
                "  claim {:.2} adv {} op {} data {} joined {} | {}",
                c.support,
                c.advice,
                c.opinion,
                c.data,
                c.joined,
                c.span.of(text).unwrap()
            );
        }
        for i in &e.items {
            println!("    {:?} {:?} -> {:?}", i.kind, i.span.of(text).unwrap(), i.claim);
        }
    }
}
