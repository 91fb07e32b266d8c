//! Who is asked where the reader is not sure: `--judge`, `--judge-budget-usd`, `--dry-run`, and `[judge]`.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::Args;
use rebuttal::config::Config;
use rebuttal::judge::{Asks, Judge, JudgeSettings, When};
use rebuttal::model::Method;
use rebuttal::models::Analyzer;

/// What asks always, instead of an agent's name or behind it.
const ALL: &str = "all";
/// What stands for no judge.
const NOBODY: &str = "none";

/// Who judges from outside, and for how much.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct JudgeArgs {
    /// Ask this agent of rebuttal.toml where the reader is not sure; AGENT:all, or all, asks always
    #[arg(long, value_name = "AGENT")]
    pub(crate) judge: Option<String>,

    /// Most that the judge may cost, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) judge_budget_usd: Option<f64>,

    /// Count what the judge would be asked, and what that would cost at most; ask nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl JudgeArgs {
    /// Who judges, if anybody does: what was typed goes before what the file says.
    pub(crate) fn settings(&self, config: &Config) -> Result<Option<JudgeSettings>> {
        let typed = self.judge.as_deref().map(|typed| match typed.rsplit_once(':') {
            Some((agent, ALL)) => (Some(agent), When::Always),
            _ if typed == ALL => (None, When::Always),
            _ => (Some(typed), When::Unsure),
        });
        let configured = &config.judge;
        let (named, when) = typed.unwrap_or((None, configured.ask.value));
        let agent = named.or(configured.agent.value.as_deref()).filter(|agent| *agent != NOBODY);
        let Some(agent) = agent else {
            ensure!(
                self.judge.as_deref().is_none_or(|typed| typed == NOBODY),
                "--judge all asks the agent of [judge] in rebuttal.toml, and none is named there; \
                 write --judge AGENT:all"
            );
            let alone = self.judge_budget_usd.is_some() || self.dry_run;
            ensure!(
                !alone,
                "--judge-budget-usd and --dry-run are about a judge; name one with --judge"
            );
            return Ok(None);
        };
        let mut settings = JudgeSettings::new(agent);
        settings.when = when;
        #[expect(clippy::cast_possible_truncation, reason = "a share needs no more digits")]
        let sure = configured.sure.value as f32;
        settings.sure = sure;
        let budget = self.judge_budget_usd.or(configured.budget_usd.value);
        settings.budget_micro_usd = budget.map(micro_usd).transpose()?;
        settings.asks = if self.dry_run { Asks::Counts } else { Asks::Really };
        Ok(Some(settings))
    }
}

/// Dollars as millionths.
fn micro_usd(dollars: f64) -> Result<u64> {
    ensure!(
        (0.0..=1_000_000.0).contains(&dollars),
        "--judge-budget-usd: {dollars} is no number of dollars; write for example 0.50"
    );
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be small and not negative"
    )]
    Ok((dollars * 1e6) as u64)
}

/// Who reads by this method, with the judge behind it where there is one.
pub(crate) fn analyzer(method: Method, args: &JudgeArgs, config: &Config) -> Result<Analyzer> {
    let analyzer = Analyzer::new(method, &config.semantics);
    let Some(settings) = args.settings(config)? else { return Ok(analyzer) };
    if method != Method::Model && args.judge.is_none() {
        return Ok(analyzer);
    }
    let judge = Judge::new(config, settings).context("the judge cannot be asked")?;
    analyzer.judged(Arc::new(judge)).map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(judge: &str) -> JudgeArgs {
        JudgeArgs { judge: Some(judge.to_owned()), ..JudgeArgs::default() }
    }

    #[test]
    fn an_agent_is_asked_where_nobody_is_sure_or_always() {
        let config = Config::default();
        let settings = typed("claude").settings(&config).unwrap().unwrap();
        assert_eq!((settings.agent.as_str(), settings.when), ("claude", When::Unsure));
        let settings = typed("claude:all").settings(&config).unwrap().unwrap();
        assert_eq!((settings.agent.as_str(), settings.when), ("claude", When::Always));
        assert_eq!(JudgeArgs::default().settings(&config).unwrap(), None);
        assert_eq!(typed("none").settings(&config).unwrap(), None);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let config = Config::default();
        let error = typed("all").settings(&config).unwrap_err().to_string();
        assert!(error.contains("--judge AGENT:all"), "{error}");
        let dry = JudgeArgs { dry_run: true, ..JudgeArgs::default() };
        assert!(dry.settings(&config).unwrap_err().to_string().contains("--judge"));
        let poor = JudgeArgs { judge_budget_usd: Some(-1.0), ..typed("claude") };
        assert!(poor.settings(&config).is_err());
    }
}
