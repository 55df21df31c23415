import { fileFlag } from './file-flag.ts';
import { booleanFlag, durationFlag, enumFlag, idleFlag, intFlag, listFlag, stringFlag, type Check } from './flag.ts';
import { flagSet } from './flag-set.ts';

const override: Check<readonly string[]> = (values) => {
  const bad = values.find((value) => !/^[^#]*\/[^#/]+#[^#]+$/.test(value));
  return bad === undefined ? undefined : `${bad}: must be group/resource#servers, servers separated by semicolons`;
};
const cacheSize: Check<readonly string[]> = (values) => {
  const bad = values.find((value) => !/^[a-z0-9.-]+#\d+$/.test(value));
  return bad === undefined ? undefined : `invalid value of watch cache size: ${bad}`;
};

/** Storage. */
export const etcdFlags = flagSet('Etcd', {
  'etcd-servers': listFlag('etcd servers, `http://host:port`, `https://host:port` or `unix:PATH`.'),
  'etcd-servers-overrides': listFlag(
    'etcd servers of some resources: `group/resource#http://a:2379;http://b:2379`.',
    [],
    override,
  ),
  'etcd-prefix': stringFlag('First part of every key in etcd.', '/registry'),
  'etcd-cafile': fileFlag('PEM file with the certificate authority of etcd.'),
  'etcd-certfile': fileFlag('PEM file with the client certificate for etcd.'),
  'etcd-keyfile': fileFlag('PEM file with the key of --etcd-certfile.'),
  'etcd-compaction-interval': durationFlag('How often old revisions are removed; 0 never.', 300_000),
  'etcd-count-metric-poll-period': durationFlag(
    'How old the counts of objects in metrics may be; 0 shows none.',
    60_000,
  ),
  'etcd-db-metric-poll-interval': idleFlag(
    durationFlag(
      'Accepted for compatibility: the size of the database is asked for when somebody reads the metrics.',
      30_000,
    ),
  ),
  'etcd-healthcheck-timeout': durationFlag('How long etcd may take to answer a health check.', 2_000),
  'etcd-readycheck-timeout': durationFlag('How long etcd may take to answer a readiness check.', 2_000),
  'storage-backend': enumFlag('Kind of storage.', 'etcd3', ['etcd3', '']),
  'storage-media-type': enumFlag(
    'How built-in objects are written; what is stored in another form is read all the same. Custom resources, ' +
      'their definitions and APIServices are always JSON, and so are all objects with an empty text.',
    'application/json',
    ['application/json', 'application/vnd.kubernetes.protobuf', ''],
  ),
  'encryption-provider-config': fileFlag('File that says which resources are encrypted in etcd, and how.'),
  'encryption-provider-config-automatic-reload': booleanFlag(
    'Look at --encryption-provider-config every minute, and use it when it has changed.',
  ),
  'watch-cache': booleanFlag('Serve reads and watches from memory.', true),
  'watch-cache-sizes': listFlag(
    '`resource[.group]#size`; a size of 0 serves the resource straight from etcd, any other from memory; how ' +
      'much is kept is chosen by load.',
    [],
    cacheSize,
  ),
  'default-watch-cache-size': idleFlag(
    intFlag('Accepted for compatibility and without effect, as in the reference: sizes are chosen by load.', 100),
  ),
  'delete-collection-workers': intFlag('Objects that a delete of a collection deletes at the same time.', 1, (value) =>
    value < 1 ? 'must be at least 1' : undefined,
  ),
  'enable-garbage-collector': booleanFlag(
    'Keep the finalizers of orphaning and foreground deletion; must be what kube-controller-manager has.',
    true,
  ),
  'lease-reuse-duration-seconds': intFlag('Seconds for which objects that expire share one etcd lease.', 60),
});
