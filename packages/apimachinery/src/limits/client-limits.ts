import type { Limit } from './limit.ts';

/** Limits of what one client may hold at a time. */
export const clientLimits = {
  requestHead: {
    value: 1024 * 1024,
    unit: 'bytes',
    of: 'the line and the headers of a request',
    reference: 1024 * 1024,
    source: 'net/http server.go, DefaultMaxHeaderBytes',
    refusal: '431 `Request Header Fields Too Large`; over HTTP/2 the stream is reset',
    spec: 'packages/apiserver/src/server/serving/malformed-requests.spec.ts',
  },
  acceptClauses: {
    value: 1_000,
    unit: 'items',
    of: 'an Accept header, and parameters of one of its clauses',
    reference: undefined,
    source: 'the reference reads as many as fit into the head; each is compared with what can be answered',
    refusal: 'those beyond are not looked at',
    spec: 'packages/apiserver/src/negotiation/negotiate.spec.ts',
  },
  streamsPerConnection: {
    value: 100,
    unit: 'streams',
    of: 'requests that are open on one connection of HTTP/2 (`--http2-max-streams-per-connection`)',
    reference: 100,
    source: 'apiserver/pkg/server/secure_serving.go',
    refusal: 'clients wait; the stream of one that does not is refused (REFUSED_STREAM)',
    spec: 'packages/apiserver/src/server/serving/client-limits.spec.ts',
  },
  connectionsPerClient: {
    value: 10_000,
    unit: 'connections',
    of: 'connections from one address (`--max-connections-per-client`, 0 for any number)',
    reference: undefined,
    source: 'the reference takes what its process has files for; each connection has its buffers here',
    refusal: 'the connection is closed before its TLS handshake',
    spec: 'packages/apiserver/src/server/serving/client-limits.spec.ts',
  },
  bodiesAtOnce: {
    value: 6 * 1024 * 1024,
    unit: 'bytes',
    of:
      'bodies above 128 KiB whose objects one server works on at a time, each of their values as 24 bytes at the ' +
      'least; 0.3 % of what the heap may be, where that is less than 2,000 MiB; a single one may have more',
    reference: undefined,
    source:
      'an object may take a hundred times the memory of its body, and the reference may have more of it; twice as ' +
      'many fit into what stored objects leave (heapShare)',
    refusal: 'it waits; users take turns, and those of whom nothing is worked on have as much room again',
    spec: 'packages/apiserver/src/request/work-share.spec.ts',
  },
  watchesPerUser: {
    value: 10_000,
    unit: 'streams',
    of:
      'watches and other requests without a deadline of one user, or of all service accounts of one namespace ' +
      'together; of kube-system each counts alone, those of system:masters do not count ' +
      '(`--max-watches-per-user`, 0 for any number)',
    reference: undefined,
    source: 'the reference counts watches until they have begun only; each has its buffers here',
    refusal: '429 `Too many requests, please try again later.`',
    spec: 'packages/apiserver/src/server/serving/client-limits.spec.ts',
  },
  answerAhead: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    of: 'what of a list in YAML, or indented, is made before anything of it is sent',
    reference: undefined,
    source: 'the reference makes the whole of it first: of the largest that may be stored, in many times its memory',
    refusal: 'what cannot be written is told by the status before, and behind it the answer breaks off',
    spec: 'packages/apiserver/src/endpoints/handlers/response/write-made.spec.ts',
  },
  protobufKept: {
    value: 32 * 1024 * 1024,
    unit: 'bytes',
    of: 'messages of a list in protobuf that are kept from when they are measured until they are sent',
    reference: undefined,
    source: 'the size of all stands before the first; slow clients may ask for the largest list many times at once',
    refusal: 'those beyond are made again when they are sent',
    spec: 'packages/apiserver/src/endpoints/handlers/protobuf.spec.ts',
  },
  auditBatch: {
    value: 10 * 1024 * 1024,
    unit: 'bytes',
    of: 'events of the audit log that are handed on together (`--audit-log-batch-max-size`), each as JSON',
    reference: undefined,
    source: 'the reference bounds batches by events, unless it truncates them: 400 may be more than a gigabyte',
    refusal: 'the batch ends before it would be larger; an event that is goes alone',
    spec: 'packages/apiserver/src/audit/audit-backends.spec.ts',
  },
  auditBuffer: {
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    of:
      'events of the audit log that wait, or are on their way, with mode `batch`, each as JSON but for ' +
      'what is stored anyway of the items of a list; a single one may have more',
    reference: undefined,
    source: 'the reference bounds the buffer by events: 10,000 of requests of the largest body would be 60 GB',
    refusal:
      'they are lost, as beyond `--audit-log-batch-buffer-size`: logged, and counted in `apiserver_audit_error_total`',
    spec: 'packages/apiserver/src/audit/audit-backends.spec.ts',
  },
  grantedRights: {
    value: 250_000,
    unit: 'items',
    of:
      'a role, or one that is bound, of somebody who may not `escalate` or `bind`: each verb of each resource, group ' +
      'and name is one',
    reference: undefined,
    source:
      'the reference compares each with each rule of the user, however many: 18 KB of verbs, groups and resources ' +
      'are a thousand million',
    refusal: '403 with the first 10,000 that are missing of those that were looked at',
    spec: 'packages/apiserver/src/authorization/rbac/escalation.spec.ts',
  },
  heapShare: {
    value: 70,
    unit: 'percent',
    of:
      'the heap that V8 allows a server, in use behind a collection, in the process or in one behind it, or in the ' +
      'controllers',
    reference: undefined,
    source:
      'what is stored is in the heap of each server that caches it or decides by it; V8 ends a process at its limit, ' +
      'and it would read the same when it is started again',
    refusal:
      '507 `the server has no memory for more objects`; deletions are made, and what system:masters write and the ' +
      "cluster's own components change",
    spec: 'packages/apiserver/src/watchdog/heap-gauge.spec.ts',
  },
  storedBytes: {
    value: 2 * 1024 ** 3,
    unit: 'bytes',
    of: 'what the embedded store holds (`--quota-backend-bytes`, below 0 for any number)',
    reference: 2 * 1024 ** 3,
    source: "etcd's server/storage/quota.go, DefaultQuotaBytes; of the file with its free pages there",
    refusal: '500 `etcdserver: mvcc: database space exceeded`; deletions are made',
    spec: 'packages/embedded-etcd/src/mvcc/space-quota.spec.ts',
  },
  storedKeyBytes: {
    value: 768,
    unit: 'bytes',
    of: 'what each key counts in storedBytes beside its own bytes: two million of the smallest objects at the most',
    reference: undefined,
    source: 'as much as its place in the memory of a server takes that caches it; etcd counts what is in its file',
    refusal: 'as storedBytes',
    spec: 'packages/embedded-etcd/src/mvcc/space-quota.spec.ts',
  },
} as const satisfies Readonly<Record<string, Limit>>;
