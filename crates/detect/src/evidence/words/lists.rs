//! The words themselves, a list a class. A phrase has `_` between its words.

use super::{
    ADVICE, ANYONE, ASIDE, ASKS, BACK, BY, CAUSE, COGNITION, CONTRAST, COUNTED, Class, EARNS,
    EMPTY, EXAMPLE, FROM, FUNCTION, FUTURE, GENERIC, HEDGE, IF, LABEL, LASTS, LINKING, METER,
    MONEY, NOT, NUMERAL, OPINION, OURS, PAPER, PAST, PHYSICAL, PLACED, REPORT, RESULT, SAMPLE,
    SELF, SHIFT, SHORT, SHOW, SINCE, SO, STANDARD, STUDY, SUPPOSED, TEST, TIME, UNIT, VAGUE, VERB,
    VOICE, WHEN, WHERE,
};

/// The first half of a number in two words.
pub(super) const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
/// And the second.
pub(super) const UNITS: &str = "one two three four five six seven eight nine";

/// A word may stand in several lists.
pub(super) const LISTS: &[(Class, &str)] = &[
    (
        FUNCTION,
        "a an the this that these those and or of to in on at by for with from into onto over \
         under about as than then so too up down out off again further once here there when where \
         why how all any both each few more most other some such only own same just also very s t \
         i me my myself we us our ours ourselves you your yours yourself he him his she her hers it \
         its itself they them their theirs themselves what which who whom whose if but because \
         while until although though since whether either neither nor yet not no is are was were \
         be been being am have has had having do does did doing will would shall should can could \
         may might must ought per via within without between among through during before after \
         above below against upon toward towards across along around behind beyond despite except \
         so_far so_much so_many so_long so_on so_called inside near outside throughout unlike versus vs however therefore thus hence moreover \
         furthermore still even ever now well one ones let's that's it's don't doesn't didn't can't \
         won't isn't aren't wasn't weren't i'm we're you're they're i've we've et al",
    ),
    (
        VERB,
        "is are was were be been am have has had do does did will would can could may might must \
         shall should isn't aren't wasn't weren't don't doesn't didn't can't won't cannot couldn't \
         wouldn't shouldn't hasn't haven't it's that's there's they're we're you're i'm i've we've \
         they've let's gives gave give takes took take makes made make gets got get goes went go \
         comes came come keeps kept keep lets let puts put sees saw see says said say tells told \
         tell knows knew know means meant mean needs need wants want works work runs ran run uses \
         use used helps help costs cost saves save leads led lead brings brought bring causes cause \
         caused creates create allows allow requires require provides provide supports support \
         includes include remains remain becomes became become seems seem appears appear holds held \
         hold stands stood stand fits fit handles handle scales scale breaks broke break fails fail \
         proves prove matters matter depends depend exists exist follows follow implies imply \
         reduces reduce improves improve affects affect protects protect prevents prevent damages \
         harm harms kill kills save teach teaches learn learns pay pays buy buys lose loses lost win \
         wins won feel feels felt think thinks thought believe believes live lives lived drink eat \
         ban bans spend spends spent grow grows grew grown listens listen adopt outperform \
         outperforms beat beats retry ship ships shipped serve serves deliver delivers cover covers \
         offer offers show shows shown find finds found left leave leaves built build builds \
         rose rise fell fall grew cut shrank drop went reach reached peaked averaged satisfies outweigh outweighs deserve deserves rains agree agrees like likes love loves",
    ),
    (
        NOT,
        "not no never none nobody nothing neither nor cannot without isn't aren't wasn't weren't \
           don't doesn't didn't can't won't couldn't wouldn't shouldn't hasn't haven't hadn't \
           hardly barely lack lacks lacking",
    ),
    (
        VAGUE,
        "generally typically usually often sometimes mostly largely basically essentially \
         potentially possibly probably perhaps maybe somewhat fairly rather quite various several \
         many numerous countless certain significant significantly substantial substantially \
         considerable considerably things thing stuff something somehow somewhere someone whatever \
         really very good bad nice great better best important interesting useful beneficial \
         valuable effective efficient robust appropriate suitable optimal ideal modern \
         holistic synergy leverage world-class cutting-edge state-of-the-art best-in-class \
         a_lot lots kind_of sort_of many_considerations various_factors in_some_cases in_many_cases \
         in_most_cases best_practices best_practice industry_standard common_approach it_depends \
         depends_on a_number_of more_or_less to_some_extent and_so_on in_general for_the_most_part \
         by_and_large over_time long_term in_the_long_run all_things_considered at_the_end_of_the_day \
         everyone_agrees we_all_agree makes_sense common_sense the_right_thing game_changer",
    ),
    (
        CAUSE,
        "because due_to owing_to given_that on_the_grounds_that for_the_reason_that the_reason_is \
             in_view_of as_evidenced_by in_light_of thanks_to the_reason_being inasmuch_as seeing_that",
    ),
    (
        RESULT,
        "ergo therefore thus hence consequently accordingly as_a_result as_a_consequence \
         for_this_reason for_that_reason for_these_reasons it_follows that_is_why this_is_why \
         which_is_why which_means this_means that_means meaning_that so_that this_implies \
         which_implies implies_that this_suggests_that this_shows_that which_shows we_conclude \
         i_conclude this_indicates_that it_means from_this_we on_that_basis on_this_basis leads_to \
         led_to leading_to results_in resulted_in resulting_in causes",
    ),
    (SINCE, "since"),
    (SO, "so"),
    (
        EXAMPLE,
        "for_example for_instance such_as specifically e.g case_in_point as_an_example to_illustrate \
               consider_the_case an_example_is one_example take_the_case in_particular namely notably",
    ),
    (
        REPORT,
        "says_so tells_us told_us told_me counted tallied revealed reveals indicates indicated sampled traced weighed timed certified attested \
         testified declared computed establishes established registered quoted cited \
         found finds reported reports reporting measured measures published estimates estimated \
         concluded concludes documented documents recorded records observed calculated surveyed \
         tested benchmarked audited reviewed analysed analyzed demonstrated demonstrates showed \
         shows confirmed confirms states stated argues argued writes wrote notes noted held ruled \
         announced warned warns claims claimed said says ran logged verified replicated compared",
    ),
    (
        STUDY,
        "study studies survey surveys report reports paper papers article articles census audit \
         audits review meta-analysis trial trials poll polls analysis whitepaper book textbook \
         documentation docs manual specification spec standard standards dataset statistics \
         journal thesis postmortem post-mortem changelog filing filings memo invoice invoices \
         ledger transcript ruling judgment guideline guidelines release_notes case_study fact_sheet \
         figures data records archive bulletin index database registry dashboard logs telemetry \
         research review reviews incident ticket evaluation assessment publication proceedings",
    ),
    (
        GENERIC,
        "study proof evidence data facts fact research science experience history literature findings results \
         numbers figures studies statistics analysis analyses experts expert consensus field industry \
         community world practice reality trend trends logic sense everyone everything authorities \
         authority institutions institution specialists professionals leaders thinkers voices \
         scientists researchers academics insiders sources source record wisdom theory knowledge",
    ),
    (
        PAPER,
        "log logs logbook logbooks sheet sheets spreadsheet spreadsheets draft offer offers calendar timesheet timesheets record records register \
         registers registry registries inspection inspections count counts headcount tally tallies plan plans budget budgets contract contracts \
         quote quotation schedule schedules timetable receipt receipts statement statements minutes note notes rota roster inventory \
         inventories map maps chart charts graph diary diaries daybook list lists listing catalogue catalog manifest docket \
         dossier file files memo memorandum letter letters circular notice notices bulletin newsletter brochure leaflet handbook guide \
         yearbook gazette account accounts return returns bill bills tender tenders bid bids agreement agreements treaty lease deed permit permits licence license \
         certificate certificates warrant questionnaire questionnaires table tables drawing drawings blueprint book books \
         reading readings meter meters gauge gauges sensor sensors counter counters sample samples assay assays check checks \
         examination appraisal valuation estimate estimates forecast forecasts projection projections barometer monitor scan scans footage \
         recording recordings testimony affidavit deposition hearing statute annex appendix submission exhibit exhibits warranty guarantee retrospective \
         petition complaint complaints ticket tickets briefing presentation slides deck preprint dissertation comparison tracker \
         archives archive balance-sheet price-list cohort series feed export extract dump printout screenshot photograph photographs photos \
         roll rolls turnstile stopwatch waybill waybills stamps codes recorder recorders resolution terminal entry entries line_item exercise ensemble thermometer scales balance ledger ledgers payroll intake bookings booking passport protocol protocols terms \
         prospectus accord bylaws charter docket verdict writ tariff index rate-card benchmark scorecard report-card \
         interview interviews testimony panel_study field_notes site_visit walk-through walkthrough stock-take stocktake headcounts",
    ),
    (
        TEST,
        "benchmark benchmarks experiment experiments test tests trial trials measurement \
         measurements load_test load_tests load-test stress_test a/b_test pilot prototype simulation \
         profiler trace traces test_run soak_test dry_run canary field_test drill replay soak \
         monitoring metrics profiling instrumentation",
    ),
    (
        UNIT,
        "percent percentage ms milliseconds millisecond microseconds nanoseconds seconds second \
         sec secs minutes minute min mins hours hour hrs days day weeks week months month years year \
         decades centuries kb mb gb tb pb kib mib gib bytes bits kbps mbps gbps hz khz mhz ghz km \
         kilometres kilometers metres meters meter metre miles mile feet foot inches inch cm mm kg \
         kilograms kilogram grams gram tonnes tons ton pounds pound ounces litres liters gallons \
         watts kilowatts kw kwh mw mwh gw gwh volts amps degrees celsius fahrenheit kelvin dollars \
         dollar euros euro cents usd eur gbp qar rupees yen yuan rps qps tps iops fps points basis \
         bps pp times fold million millions billion billions trillion thousand hundred calories \
         joules newtons pascals psi ppm ppb mg ml acres hectares cores vcpus",
    ),
    (
        SAMPLE,
        "users requests customers respondents participants patients students people households \
         adults children subjects samples companies firms employees workers developers engineers \
         queries calls transactions orders incidents outages deaths cases errors failures tickets \
         observations trials countries cities schools hospitals stores accounts sessions visits \
         messages events records rows documents commits deployments deploys builds jobs votes \
         subscribers passengers vehicles crashes accidents injuries residents connections replicas \
         shards partitions nodes hosts servers machines",
    ),
    (
        TIME,
        "yesterday today tomorrow then monday tuesday wednesday thursday friday saturday sunday \
         january february march april may june july august september october november december \
         jan feb mar apr jun jul aug sep sept oct nov dec last next early late mid spring summer \
         autumn winter childhood birth inception beginning morning night noon midnight always ever \
         birth yesterday's his her their my our day_one launch",
    ),
    (SELF, "me my myself mine gut feeling i imo imho intuition experience common_sense"),
    (
        ADVICE,
        "should must ought recommend recommends recommended propose proposes suggest let's advise \
         urge need_to needs_to have_to has_to had_better we_could i_vote go_with proceed adopt",
    ),
    (
        HEDGE,
        "might may maybe perhaps possibly probably could potentially apparently seemingly \
             presumably supposedly allegedly arguably likely unlikely seems seem appears tends tend",
    ),
    (
        OPINION,
        "i_think i_guess i_feel i_suppose i_believe i_imagine i_assume in_my_opinion \
               in_my_view imo imho maybe perhaps possibly",
    ),
    (
        ASKS,
        "what how why when who which where whose whom is are do does did can could would will \
            should has have",
    ),
    (BACK, "it this that these those they such its their both the_same he she"),
    (
        ANYONE,
        "experts people everyone everybody critics scholars some many most others someone \
              somebody anyone nobody observers folks somewhere studies scientists researchers",
    ),
    (
        SHORT,
        "vs dr mr mrs ms prof st no nos fig figs inc ltd corp co approx al cf ca dept est \
             ed eds vol pp sec ch ref refs v jr sr gen rep sen gov",
    ),
    (
        LABEL,
        "port ports version versions v section sections chapter page pages p pp step steps figure \
         fig table item items line lines room level option phase part appendix article rule no \
         number nr python java ubuntu windows ipv error code http status option round team group \
         type class grade question issue pr",
    ),
    (STANDARD, "rfc iso iec ieee nist fips pep cve doi arxiv isbn pmid issn sp sec. usc cfr"),
    (
        FROM,
        "according_to per as_per as_reported_by as_shown_in as_described_in cited_in quoted_in source \
            sources reported_by published_by measured_by based_on on_the_basis_of as_documented_in see see_also \
            going_by to_go_by judging_by judging_from to_judge_by to_judge_from citing quoting cf \
            we_know_from i_know_from known_from i_have_it_from i_have_this_from i_have_that_from i_got_this_from i_got_it_from \
            i_took_this_from i_took_it_from taken_from drawn_from this_comes_from that_comes_from it_comes_from which_comes_from \
            look_it_up_in you_can_look_it_up_in it_says_in look_at looked_at looking_at a_look_at peek_at \
            refer_to refer_you_to refer_colleagues_to refer_everyone_to reference_is reference_here_is my_reference_is \
            straight_from straight_out_of comes_out_of came_out_of out_of find_it_in find_this_in find_that_in found_it_in \
            all_there_in going_back_to went_back_to go_back_to as_printed_in printed_in rereading i_cite i_quote i_quoted \
            the_entry_in count_in went_through went_to went_over one_learns_from we_learn_from learned_from learnt_from heard_from \
            told_by asked obtained_from supplied_by provided_by courtesy_of as_told_by in_answer_from who_says_so \
            if_you_check check_with checked_with confirmed_by confirmed_with verified_with borne_out_by backed_by backed_up_by \
            supported_by shown_by shown_in stated_in stated_by noted_in noted_by given_in given_by recorded_by recorded_in logged_by logged_in \
            in_the_words_of by_the_account_of by_the_reckoning_of by_the_count_of on_the_evidence_of on_the_word_of \
            on_record_in on_file_at on_file_with as_seen_in as_you_can_read_in i_read_in we_read_in you_will_find_in \
            as_set_out_in set_out_in as_laid_down_in laid_down_in written_down_in as_recorded_in as_noted_in as_stated_in \
            as_listed_in as_logged_in as_published_in as_reported_in my_source_is our_source_is the_source_is relying_on checked_against",
    ),
    (OURS, "we our ours us my i"),
    (
        SHIFT,
        "rose rises rise risen fell falls fall fallen dropped drops drop grew grows increased \
         increases increase decreased decreases decrease declined declines decline improved \
         improves reduced reduces cut cuts doubled doubles tripled halved gained lost jumped \
         climbed slipped shrank averaged averages peaked stayed reached exceeded totalled totaled \
         cost saved raised lowered went to from by at under over below above is was of equals",
    ),
    (
        WHERE,
        "in from on under via through to inside by within at open read consult check behind across with off",
    ),
    (
        ASIDE,
        "on_another_matter on_another_note on_another_subject on_another_topic on_another_point on_another_front \
         on_a_different_matter on_a_different_note on_a_different_subject on_a_different_topic on_a_different_point \
         on_a_separate_matter on_a_separate_note on_a_separate_subject on_a_separate_point as_a_separate_point \
         as_a_separate_matter a_different_point a_separate_point a_different_matter another_matter \
         leaving_that_aside leaving_this_aside setting_that_aside setting_this_aside putting_that_aside that_aside \
         this_aside apart_from_that apart_from_this quite_apart_from_that quite_apart_from_this \
         turning_to_something_else turning_to_another_matter turning_elsewhere turning_to_other_things to_turn_to_something_else \
         to_change_the_subject changing_the_subject on_an_unrelated_note unrelated unrelatedly unrelated_to_this \
         not_related_to_this incidentally by_the_way as_an_aside in_passing as_a_side_note side_note off_topic \
         in_other_news elsewhere moving_on_to_something_else speaking_of_something_else independently_of_this \
         independently_of_that while_i_am_at_it while_we_are_at_it for_completeness on_the_side beside_the_point \
         this_has_nothing_to_do_with it_has_nothing_to_do_with something_else_entirely",
    ),
    (
        METER,
        "figure figures number numbers rate rates share percentage percentages value values count total totals probability \
         odds chance chances likelihood certainty effect amount amounts extent score quantity proportion ratio fraction \
         case cases instance instances time times situations occasions true exact exactly precise precisely correct real known \
         dot hit margin beyond established confidence right plain sure certain certainty doubt mind matters matter say talking stands amounts full stop keep less it confirm confirms",
    ),
    (
        EMPTY,
        "available latest recent current existing relevant overall new published growing general area areas field matter topic subject \
         issue question ground kind sort body bulk wealth plenty amount range host much long entire whole clear strong solid \
         good better best own major leading top important various numerous several official scientific academic empirical hard \
         real actual simple mere same such other further first last this that these those there here public general_opinion",
    ),
    (BY, "by"),
    (LINKING, "as which what like"),
    (
        SUPPOSED,
        "suppose supposing imagine imagining assume assuming hypothetically hypothetical imaginary fictitious \
         fictional notional let's_say say_that what_if pretend pretending wish wished if_only allegedly \
         supposedly one_day some_day someday rumour rumours rumor rumors would_need",
    ),
    (
        VOICE,
        "claude gpt gpt-3 gpt-4 gpt-4o gpt-5 gpt4 chatgpt gemini llama mistral copilot grok deepseek qwen panelist \
         panellist agent assistant moderator participant speaker debater colleague colleagues you yourselves yourself",
    ),
    (
        NUMERAL,
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
         seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred dozen \
         half third thirds quarter quarters fifth tenth twice thrice",
    ),
    (
        WHEN,
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays \
         fridays saturdays sundays mon tue tues wed thu thurs fri january february april june july august \
         september october november december jan feb apr jun jul aug sept oct nov dec yesterday tonight \
         overnight noon midnight ago morning mornings evening last_week last_month last_year last_night \
         last_winter last_summer last_spring last_autumn last_season last_quarter last_time this_morning \
         this_week this_month this_year this_season this_winter this_summer this_spring this_autumn that_day \
         that_week monday's tuesday's wednesday's thursday's friday's saturday's sunday's",
    ),
    (
        PAST,
        "was were had did been wasn't weren't hadn't didn't took gave made got went came kept put saw said \
         told knew meant ran led brought became held stood broke lost won felt thought spent grew found left \
         built rose fell cut shrank bled blew bore beat began bent bit bought burnt caught chose clung \
         crept dealt drew drove drank dug ate fed fled flew forgot froze hung heard hid hit hurt knelt laid \
         lay lent lit met mowed paid quit rang read rode sank sat sent set shook shone shot shut slept slid \
         smelt sold sought spoke spun split sprang stole stuck struck stung swam swept swore swung taught \
         tore threw trod understood woke wore wound wrote seen taken given gone done written drawn driven \
         fallen risen grown broken shown held dug hung measured counted",
    ),
    (
        FUTURE,
        "will would shall won't wouldn't i'll we'll they'll it'll might going_to expect expects expected \
         forecast forecasts predicted projected should",
    ),
    (
        CONTRAST,
        "of to against vs versus than instead from before after while whereas was were compared out_of where \
         but now under over",
    ),
    (
        PLACED,
        "run runs job ticket tickets lot batch frame frames exhibit page pages p pp para paragraph sheet \
         drawing context grid tray folio box bundle clause section order notebook host hosts week wk weeks \
         reference ref table row rows photo photos report spec file minute entry no number nr trench \
         transect unit sample samples session sessions visit trial series volume vol annex article art room \
         plot plots line cyl cylinder blade commit bug case incident inc exhibit item sect",
    ),
    (
        COGNITION,
        "believed thought felt liked loved hoped wanted agreed supposed assumed guessed figured decided \
         concluded argued said claimed knew understood considered preferred wondered feared expected trusted \
         convinced persuaded imagined wished reckoned realised realized learned learnt promised needed \
         used tried seemed looked voted opted",
    ),
    (IF, "if were unless provided_that in_case"),
    (
        PHYSICAL,
        "kb mb gb tb pb kib mib gib bytes bits kbps mbps gbps hz khz mhz ghz km kilometres kilometers metres \
         meters metre miles mile feet cm mm kg kilograms kilogram grams gram tonnes tons ton ounces litres \
         liters gallons watts kilowatts kw kwh mw mwh gw gwh volts amps degrees celsius fahrenheit kelvin \
         joules newtons pascals psi mg ml acres hectares",
    ),
    (MONEY, "dollars dollar euros euro cents usd eur gbp qar rupees yen yuan"),
    (
        LASTS,
        "latency latencies delay delays duration durations runtime uptime downtime response_time \
             load_time waiting_time",
    ),
    (
        EARNS,
        "revenue revenues income turnover profit profits salary salaries wage wages rent rents sales \
             earnings",
    ),
    (
        COUNTED,
        "loyalty opinion opinions opinion's satisfaction population populations attendance turnout \
               patients customers users voters residents temperatures",
    ),
    (
        SHOW,
        "show find report prove reveal confirm measure count support indicate demonstrate establish record \
         conclude suggest back document say",
    ),
];
