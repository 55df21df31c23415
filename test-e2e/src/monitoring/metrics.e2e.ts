import { expect } from 'chai';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { referenceMetrics } from '../parity/parity-document.ts';

/** Metrics of storage that a fresh kube-apiserver 1.36.2 shows; those of watches, of rights and of admission. */
const expected = [
  'apiserver_admission_controller_admission_duration_seconds histogram',
  'apiserver_admission_step_admission_duration_seconds histogram',
  'apiserver_admission_step_admission_duration_seconds_summary summary',
  'apiserver_cache_list_fetched_objects_total counter',
  'apiserver_cache_list_returned_objects_total counter',
  'apiserver_cache_list_total counter',
  'apiserver_envelope_encryption_dek_cache_fill_percent gauge',
  'apiserver_request_body_size_bytes histogram',
  'apiserver_request_filter_duration_seconds histogram',
  'apiserver_resource_objects gauge',
  'apiserver_resource_size_estimate_bytes gauge',
  'apiserver_storage_data_key_generation_duration_seconds histogram',
  'apiserver_storage_data_key_generation_failures_total counter',
  'apiserver_storage_envelope_transformation_cache_misses_total counter',
  'apiserver_storage_events_received_total counter',
  'apiserver_storage_list_evaluated_objects_total counter',
  'apiserver_storage_list_fetched_objects_total counter',
  'apiserver_storage_list_returned_objects_total counter',
  'apiserver_storage_list_total counter',
  'apiserver_storage_objects gauge',
  'apiserver_storage_size_bytes gauge',
  'apiserver_watch_cache_consistent_read_total counter',
  'apiserver_watch_cache_events_dispatched_total counter',
  'apiserver_watch_cache_events_received_total counter',
  'apiserver_watch_cache_initializations_total counter',
  'apiserver_watch_cache_read_wait_seconds histogram',
  'apiserver_watch_cache_resource_version gauge',
  'apiserver_watch_events_sizes histogram',
  'apiserver_watch_events_total counter',
  'apiserver_watch_list_duration_seconds histogram',
  'authentication_duration_seconds histogram',
  'authorization_attempts_total counter',
  'authorization_duration_seconds histogram',
  'etcd_bookmark_total counter',
  'etcd_lease_object_counts histogram',
  'etcd_request_duration_seconds histogram',
  'etcd_requests_total counter',
  'registered_metrics_total counter',
  'watch_cache_capacity gauge',
];

/** Of the reference's metrics those that are not of its process and its language. */
const isOfComponents = (name: string): boolean =>
  referenceMetrics[name] !== undefined && !/^(?:go|process)_/.test(name);

describe('/metrics of the chain', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain();
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    client.close();
    await chain.stop();
  });

  it("shows what all of its servers count, under the reference's names", async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const watch = await client.watch(
      `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await watch.atLeast(1);
    expect((await client.post(path, { metadata: { name: 'counted' } })).status).to.equal(201);
    expect((await client.get(path)).body.items).to.have.lengthOf(1);
    await watch.atLeast(2);
    watch.close();
    // etcd sends a bookmark only when asked; a read that has to wait for its cache asks.
    // Counts may be a minute old, and from before the server had made the config maps that are its own.
    const counted = 'apiserver_resource_objects{group="",resource="configmaps"} 3\n';
    const isThere = (shown: string): boolean => shown.includes('etcd_bookmark_total{') && shown.includes(counted);
    const { text } = await client.until('/metrics', (answer) => isThere(answer.text), 120_000);
    const shown = [...text.matchAll(/^# TYPE (\S+ \S+)$/gm)].map(([, metric]) => metric);
    expect(shown).to.include.members(expected);
    expect(new Set(shown).size).to.equal(shown.length);
    const lines = text.split('\n');
    // Every metric that is the reference's says how long it may be counted on.
    const unstated = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].flatMap(([, name = '', help = '']) =>
      isOfComponents(name) && !/^(?:EXPERIMENTAL: )?\[(?:ALPHA|BETA|STABLE)\] /.test(help) ? [name] : [],
    );
    expect(unstated).to.deep.equal([]);
    expect(lines).to.include('registered_metrics_total{deprecated_version="1.34.0",stability_level="STABLE"} 1');
    expect(lines).to.include('apiserver_storage_objects{resource="customresourcedefinitions.apiextensions.k8s.io"} 0');
    expect(
      lines.some((line) =>
        /^apiserver_storage_objects\{resource="apiservices.apiregistration.k8s.io"\} [1-9]/.test(line),
      ),
    ).to.equal(true);
    expect(lines).to.include(
      'apiserver_watch_list_duration_seconds_count{group="",version="v1",resource="configmaps",scope="namespace"} 1',
    );
  }).timeout(180_000);
});
