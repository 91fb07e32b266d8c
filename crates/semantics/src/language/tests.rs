//! Texts in many languages, and texts in none.

use super::*;

#[test]
fn english_is_english() {
    for text in [
        "I don't think we should approve this proposal before the audit is finished.",
        "No: the evidence is weak, and the costs are real.",
        "Señor Muñoz met Frau Müller in São Paulo to talk about the café's menu.",
        "The de facto standard is, per se, not ad hoc; c'est la vie, as they say.",
        "Run `cargo test` and you will see why it fails.",
        "It\u{2019}s what they said \u{2014} isn\u{2019}t it? \u{1f600}",
        "A man is playing a guitar.",
        "<A> mm it's nice <B> yeah it is <A> I like it",
        "Die Hard is a film in which the hero does not die.",
    ] {
        assert_eq!(Trust::of(text), Trust::English, "{text}");
    }
}

#[test]
fn other_languages_are_not() {
    for text in [
        "Wir sollten diesem Vorschlag nicht zustimmen, weil die Kosten zu hoch sind.",
        "Nous ne devrions pas accepter cette proposition, car elle coûte trop cher.",
        "No deberíamos aceptar esta propuesta porque cuesta demasiado dinero.",
        "Non dovremmo accettare questa proposta perché costa troppo.",
        "Não devemos aceitar esta proposta porque custa muito dinheiro.",
        "We moeten dit voorstel niet aannemen omdat het te veel geld kost.",
        "Vi borde inte godkänna förslaget eftersom det kostar för mycket.",
        "Vi bør ikke godkjenne forslaget fordi det koster altfor mye penger.",
        "Nie powinniśmy przyjmować tej propozycji, bo jest za droga.",
        "Tento návrh bychom neměli přijmout, protože je příliš drahý.",
        "Bu öneriyi kabul etmemeliyiz, çünkü çok pahalı bir çözüm.",
        "Kita tidak harus menerima usulan ini karena biayanya terlalu tinggi.",
        "Chúng ta không nên chấp nhận đề xuất này vì nó quá đắt.",
        "Meidän ei pitäisi hyväksyä tätä ehdotusta, koska se on liian kallis.",
        "Nem kellene elfogadnunk ezt a javaslatot, mert túl drága.",
        "Nu ar trebui să acceptăm această propunere, pentru că este prea scumpă.",
        "Hatupaswi kukubali pendekezo hili kwa sababu ni ghali sana kwa watu.",
        "Hindi natin dapat tanggapin ang panukalang ito dahil mahal ang mga gastos.",
        "Мы не должны принимать это предложение: оно слишком дорогое.",
        "Δεν πρέπει να δεχτούμε αυτή την πρόταση, είναι πολύ ακριβή.",
        "我们不应该接受这个提案，因为成本太高了。",
        "費用が高すぎるので、この提案を受け入れるべきではない。",
        "비용이 너무 많이 들기 때문에 이 제안을 받아들여서는 안 됩니다.",
        "يجب ألا نقبل هذا الاقتراح لأن تكلفته مرتفعة للغاية.",
        "אסור לנו לקבל את ההצעה הזאת כי היא יקרה מדי.",
        "हमें यह प्रस्ताव स्वीकार नहीं करना चाहिए क्योंकि यह बहुत महँगा है।",
        "เราไม่ควรยอมรับข้อเสนอนี้เพราะมีค่าใช้จ่ายสูงเกินไป",
    ] {
        assert_eq!(Trust::of(text), Trust::NotEnglish, "{text}");
    }
}

#[test]
fn what_has_no_words_says_so() {
    for text in [
        "",
        " \n\t",
        "\u{1f600}\u{1f44d}\u{1f3fd} \u{2764}\u{fe0f}",
        "42 3.14 -7% 2024-01-01",
        "https://example.org/a/b?c=d",
        "!!! ... ???",
        "fn main() {\n    let x = vec![0; 10];\n    println!(\"{x:?}\");\n}",
        "```\nthe code is in a fence and it is not prose\n```",
        "if (a[i] == b[i]) { return f(a, b); }",
    ] {
        assert_eq!(Trust::of(text), Trust::NoWords, "{text}");
    }
}

#[test]
fn a_few_words_do_not_decide() {
    for text in
        ["Yes.", "Nein!", "OK, agreed", "Je ne sais pas", "да", "Stocks rally on Asian growth"]
    {
        assert_ne!(Trust::of(text), Trust::NotEnglish, "{text}");
    }
    assert_eq!(Trust::of("Hello there"), Trust::TooShort);
}

#[test]
fn a_long_text_is_read_in_part() {
    let long = "é".repeat(1 << 20);
    assert_eq!(Trust::of(&long), Trust::TooShort);
    assert_eq!(Trust::of(&"die das und ist ".repeat(1 << 16)), Trust::NotEnglish);
}
