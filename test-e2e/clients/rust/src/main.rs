//! Drives the chain with kube-rs as Rust programs use it: typed objects, watch, server-side apply, a derived CRD, a controller's
//! parts. Usage: kube-client KUBECONFIG. Prints one line per step; exits 1 at the first that fails.

use std::{collections::BTreeMap, path::PathBuf, time::{Duration, Instant}};

use anyhow::{Context, Result, bail, ensure};
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::{api::core::v1::{ConfigMap, Namespace}, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition};
use kube::{
    Api, Client, Config, CustomResource, CustomResourceExt, Error, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
    runtime::{WatchStreamExt, wait::{await_condition, conditions}, watcher},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const NAMESPACE: &str = "rust-client";
const MANAGER: &str = "kube-rs";

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "rs.example.com", version = "v1", kind = "Crab", namespaced, status = "CrabStatus", shortname = "cb")]
struct CrabSpec {
    legs: u8,
    color: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct CrabStatus {
    walking: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let path = PathBuf::from(std::env::args().nth(1).context("usage: kube-client KUBECONFIG")?);
    let config = Config::from_custom_kubeconfig(Kubeconfig::read_from(path)?, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;
    let namespace: Namespace = serde_json::from_value(json!({ "metadata": { "name": NAMESPACE } }))?;
    Api::<Namespace>::all(client.clone()).create(&PostParams::default(), &namespace).await?;
    for name in ["crud", "server-side apply", "watch", "derived custom resource"] {
        let started = Instant::now();
        match name {
            "crud" => crud(client.clone()).await,
            "server-side apply" => apply(client.clone()).await,
            "watch" => watched(client.clone()).await,
            _ => derived(client.clone()).await,
        }
        .with_context(|| format!("FAIL {name}"))?;
        println!("ok   {name} ({} ms)", started.elapsed().as_millis());
    }
    Ok(())
}

fn config_map(name: &str, data: &[(&str, &str)]) -> ConfigMap {
    let mut made = ConfigMap { data: Some(data.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect::<BTreeMap<_, _>>()), ..ConfigMap::default() };
    made.metadata.name = Some(name.into());
    made
}

async fn crud(client: Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    maps.create(&PostParams::default(), &config_map("a", &[("k", "v")])).await?;
    maps.patch("a", &PatchParams::default(), &Patch::Merge(json!({ "data": { "p": "q" }, "metadata": { "labels": { "x": "y" } } }))).await?;
    let mut got = maps.get("a").await?;
    ensure!(got.data.as_ref().is_some_and(|data| data["k"] == "v" && data["p"] == "q"), "{got:?}");
    let stale = got.clone();
    got.data.as_mut().context("data")?.insert("k".into(), "w".into());
    maps.replace("a", &PostParams::default(), &got).await?;
    match maps.replace("a", &PostParams::default(), &ConfigMap { data: None, ..stale }).await {
        Err(Error::Api(status)) if status.is_conflict() => {}
        other => bail!("stale: {other:?}"),
    }
    ensure!(maps.list(&ListParams::default().labels("x=y")).await?.items.len() == 1);
    maps.delete("a", &DeleteParams::default()).await?;
    ensure!(maps.get_opt("a").await?.is_none());
    Ok(())
}

async fn apply(client: Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    let wanted = |color: &str| Patch::Apply(json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "applied" }, "data": { "color": color } }));
    let first = maps.patch("applied", &PatchParams::apply(MANAGER), &wanted("red")).await?;
    let again = maps.patch("applied", &PatchParams::apply(MANAGER), &wanted("red")).await?;
    ensure!(first.resource_version() == again.resource_version());
    match maps.patch("applied", &PatchParams::apply("other"), &wanted("blue")).await {
        Err(Error::Api(status)) if status.is_conflict() => {}
        other => bail!("conflict: {other:?}"),
    }
    let forced = maps.patch("applied", &PatchParams::apply("other").force(), &wanted("blue")).await?;
    ensure!(forced.data.is_some_and(|data| data["color"] == "blue"));
    Ok(())
}

async fn watched(client: Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    // As a streaming list, then as list and watch.
    for config in [watcher::Config::default().streaming_lists(), watcher::Config::default()] {
        let mut events = watcher(maps.clone(), config.labels("watched=yes")).default_backoff().boxed();
        let mut made = config_map("watched", &[]);
        made.labels_mut().insert("watched".into(), "yes".into());
        let expected = 3;
        let mut seen = Vec::new();
        while seen.len() < expected {
            let event = tokio::time::timeout(Duration::from_secs(10), events.try_next()).await??.context("the watch ended")?;
            match event {
                watcher::Event::InitDone => {
                    maps.create(&PostParams::default(), &made).await?;
                    maps.patch("watched", &PatchParams::default(), &Patch::Merge(json!({ "data": { "a": "b" } }))).await?;
                    maps.delete("watched", &DeleteParams::default()).await?;
                }
                watcher::Event::Apply(map) => seen.push(format!("applied {}", map.data.unwrap_or_default().len())),
                watcher::Event::Delete(map) => seen.push(format!("deleted {}", map.data.unwrap_or_default().len())),
                watcher::Event::Init | watcher::Event::InitApply(_) => {}
            }
        }
        ensure!(seen == ["applied 0", "applied 1", "deleted 1"], "{seen:?}");
    }
    Ok(())
}

async fn derived(client: Client) -> Result<()> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    crds.patch(Crab::crd_name(), &PatchParams::apply(MANAGER).force(), &Patch::Apply(Crab::crd())).await?;
    tokio::time::timeout(Duration::from_secs(10), await_condition(crds.clone(), Crab::crd_name(), conditions::is_crd_established())).await??;
    let crabs: Api<Crab> = Api::namespaced(client, NAMESPACE);
    let made = crabs.create(&PostParams::default(), &Crab::new("ferris", CrabSpec { legs: 8, color: None })).await?;
    ensure!(made.spec.legs == 8 && made.status.is_none());
    let walking = crabs.patch_status("ferris", &PatchParams::default(), &Patch::Merge(json!({ "status": { "walking": true } }))).await?;
    ensure!(walking.status.is_some_and(|status| status.walking));
    match crabs.patch("ferris", &PatchParams::default(), &Patch::Merge(json!({ "spec": { "legs": 300 } }))).await {
        Err(Error::Api(status)) if status.is_invalid() => {}
        other => bail!("300 legs: {other:?}"),
    }
    crds.delete(Crab::crd_name(), &DeleteParams::default()).await?;
    Ok(())
}
