//! Documents that are sent to addresses an operator named: webhooks.
//!
//! Whoever can name an address must not reach with it what only this machine can reach. The check is made on
//! the address a name resolves to, when the connection is made, so that a name that leads elsewhere the second
//! time is refused too. Redirects are not followed.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::HeaderMap;
use reqwest::{Client, Url, redirect, retry};

use crate::transport::tls;

/// How long a receiver has to take a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// How long a receiver has to answer.
const ANSWER: Duration = Duration::from_secs(10);

/// A range of addresses that an operator vouches for: `10.1.0.0/16`, `fd00::/8`, or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    base: IpAddr,
    bits: u8,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no network; 10.1.0.0/16 and 127.0.0.1 are");
        let (base, bits) = match text.split_once('/') {
            Some((base, bits)) => (base, Some(bits.parse::<u8>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let base: IpAddr = base.parse().map_err(|_| wrong())?;
        let most = if base.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        if bits > most { Err(wrong()) } else { Ok(Self { base, bits }) }
    }
}

impl Network {
    fn holds(&self, address: IpAddr) -> bool {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                base.to_bits() & mask == address.to_bits() & mask
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                base.to_bits() & mask == address.to_bits() & mask
            }
            _ => false,
        }
    }
}

/// Whether an address is one of the open internet.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let protocols = a == 192 && b == 0 && c == 0;
    let relay = a == 192 && b == 88 && c == 99;
    let benchmark = a == 198 && (b == 18 || b == 19);
    let refused = a == 0
        || a >= 224
        || shared
        || protocols
        || relay
        || benchmark
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation();
    !refused
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Only 2000::/3 is given out; within it, what carries another address is refused with it.
    let [a, b, ..] = address.segments();
    let given_out = a & 0xe000 == 0x2000;
    let carries = a == 0x2002 || (a == 0x2001 && b < 0x0200);
    let documentation = (a == 0x2001 && b == 0x0db8) || (a == 0x3fff && b < 0x1000);
    given_out && !carries && !documentation
}

/// Resolves names, and gives only addresses that may be reached.
#[derive(Debug)]
struct Checked(Arc<[Network]>);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = Arc::clone(&self.0);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let reachable: Vec<SocketAddr> =
                found.filter(|address| may_reach(address.ip(), &allowed)).collect();
            if reachable.is_empty() {
                let refusal =
                    OutletError("the name leads to no address of the internet".to_owned());
                return Err(refusal.into());
            }
            Ok(Box::new(reachable.into_iter()) as Addrs)
        })
    }
}

fn may_reach(address: IpAddr, allowed: &[Network]) -> bool {
    let address = address.to_canonical();
    is_public(address) || allowed.iter().any(|network| network.holds(address))
}

/// Why a document was not sent, or what was said to it. It never holds the address's path or query, which may
/// be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutletError(String);

impl fmt::Display for OutletError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OutletError {}

/// One address that documents are sent to. Cheap to clone.
#[derive(Clone)]
pub struct Outlet {
    client: Client,
    url: Url,
}

impl fmt::Debug for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Outlet").field(&self.url.host_str()).finish()
    }
}

impl Outlet {
    /// An address on the internet, or in one of these networks. Connects to nothing yet.
    pub fn new(text: &str, allowed: &[Network]) -> Result<Self, OutletError> {
        let refuse = |reason: &str| OutletError(reason.to_owned());
        let url = Url::parse(text.trim()).map_err(|error| OutletError(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("it must start with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it holds a user or a password"));
        }
        let host = url.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if bare.is_empty() {
            return Err(refuse("it names no host"));
        }
        // A name is checked when it is resolved; an address is never resolved.
        if let Ok(address) = bare.parse::<IpAddr>()
            && !may_reach(address, allowed)
        {
            return Err(refuse("it leads to no address of the internet"));
        }
        let wrong = |error: &dyn fmt::Display| OutletError(format!("no client: {error}"));
        let tls = tls(url.scheme() == "https").map_err(|error| wrong(&error))?;
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Checked(allowed.into()))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .no_proxy()
            .connect_timeout(CONNECT)
            .timeout(ANSWER)
            .user_agent(concat!("rebuttal/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| wrong(&error))?;
        Ok(Self { client, url })
    }

    /// The machine it is on, to be shown.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Sends one document; the status of the answer, whose body is not read.
    pub async fn send(&self, headers: HeaderMap, body: Vec<u8>) -> Result<u16, OutletError> {
        let request = self.client.post(self.url.clone()).headers(headers).body(body);
        match request.send().await {
            Ok(answer) => Ok(answer.status().as_u16()),
            Err(error) => Err(OutletError(innermost(&error.without_url()))),
        }
    }
}

fn innermost(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses that only this machine or its network can reach, in all the ways to write them.
    const REFUSED: [&str; 62] = [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.0.0.1:8080/",
        "http://127.255.255.254/",
        "http://0/",
        "http://0.0.0.0/",
        "http://0.1.2.3/",
        "http://10.0.0.1/",
        "http://10.255.255.255/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://0251.0376.0251.0376/",
        "http://100.64.0.1/",
        "http://100.127.255.255/",
        "http://192.0.0.1/",
        "http://192.0.2.1/",
        "http://198.18.0.1/",
        "http://198.19.255.255/",
        "http://198.51.100.1/",
        "http://203.0.113.1/",
        "http://192.88.99.1/",
        "http://224.0.0.1/",
        "http://239.255.255.255/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
        "http://[::1]/",
        "http://[::]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[::127.0.0.1]/",
        "http://[fe80::1]/",
        "http://[febf::1]/",
        "http://[fc00::1]/",
        "http://[fd00:ec2::254]/",
        "http://[fec0::1]/",
        "http://[ff02::1]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:a9fe:a9fe::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b:1::1]/",
        "http://[2001::1]/",
        "http://[2001:db8::1]/",
        "http://[3fff::1]/",
        "http://[100::1]/",
        "http://user@93.184.216.34/",
        "http://a:b@93.184.216.34/",
        "ftp://93.184.216.34/",
        "file:///etc/passwd",
        "gopher://93.184.216.34/",
    ];

    #[test]
    fn what_only_this_machine_reaches_is_refused() {
        for address in REFUSED {
            assert!(Outlet::new(address, &[]).is_err(), "{address}");
        }
        for address in ["http:///", "http://", "//host/", "javascript:alert(1)", "http://[::1", ""]
        {
            assert!(Outlet::new(address, &[]).is_err(), "{address}");
        }
        for address in [
            "https://93.184.216.34/hook",
            "http://8.8.8.8/",
            "https://[2606:4700::1111]/",
            "https://example.org/x?y",
        ] {
            assert!(Outlet::new(address, &[]).is_ok(), "{address}");
        }
    }

    #[test]
    fn an_operator_may_vouch_for_a_network() {
        let network = |text: &str| text.parse::<Network>().unwrap();
        let own = [network("10.1.0.0/16"), network("127.0.0.1"), network("fd00::/8")];
        for address in [
            "http://10.1.2.3/",
            "http://127.0.0.1:9/",
            "http://[::ffff:10.1.2.3]/",
            "http://[fd12::1]/",
        ] {
            assert!(Outlet::new(address, &own).is_ok(), "{address}");
        }
        for address in ["http://10.2.0.1/", "http://127.0.0.2/", "http://[fe80::1]/"] {
            assert!(Outlet::new(address, &own).is_err(), "{address}");
        }
        for wrong in ["", "10.0.0.0/33", "host", "10.0.0.0/x"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }

    /// A name is no address: what it leads to is looked at when the connection is made.
    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_refused() {
        let outlet = Outlet::new("http://localhost:9/", &[]).unwrap();
        let error = outlet.send(HeaderMap::new(), Vec::new()).await.unwrap_err();
        assert!(error.to_string().contains("no address of the internet"), "{error}");
    }
}
