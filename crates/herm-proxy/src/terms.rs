//! On what terms connections are made.

use std::fmt;
use std::sync::Arc;

use herm::approval::Answer;

use crate::consent::{Ask, Question};
use crate::judge::Judge;
use crate::limits::Limits;
use crate::resolve::{Resolve, System};
use crate::vault::Vault;

/// On what terms connections are made.
#[derive(Clone)]
pub struct Terms {
    pub(crate) judge: Arc<dyn Judge>,
    pub(crate) ask: Option<Ask>,
    pub(crate) resolve: Arc<dyn Resolve>,
    pub(crate) limits: Limits,
    pub(crate) vault: Option<Arc<Vault>>,
}

impl Terms {
    /// What a judge allows; nobody is asked, and names are looked up as this machine does.
    #[must_use]
    pub fn new(judge: Arc<dyn Judge>) -> Self {
        Self { judge, ask: None, resolve: Arc::new(System), limits: Limits::default(), vault: None }
    }

    /// The same with somebody who can be asked.
    #[must_use]
    pub fn asking(self, ask: Ask) -> Self {
        Self { ask: Some(ask), ..self }
    }

    /// The same with somebody whom to ask takes a while, in threads of their own.
    #[must_use]
    pub fn asking_apart(self, ask: Arc<dyn Fn(Question) -> Answer + Send + Sync>) -> Self {
        self.asking(Arc::new(move |question| {
            let ask = Arc::clone(&ask);
            let asked = tokio::task::spawn_blocking(move || ask(question));
            Box::pin(async { asked.await.unwrap_or(Answer::Deny) })
        }))
    }

    /// The same with credentials that are put in on the way.
    #[must_use]
    pub fn keeping(self, vault: Arc<Vault>) -> Self {
        Self { vault: Some(vault), ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn limited(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same with another resolver.
    #[must_use]
    pub fn resolving(self, resolve: Arc<dyn Resolve>) -> Self {
        Self { resolve, ..self }
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms")
            .field("asks", &self.ask.is_some())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
