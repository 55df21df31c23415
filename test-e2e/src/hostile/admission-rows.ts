import { gzipSync } from 'node:zlib';
import { configMaps, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { httpAnswers } from './http-answers.ts';
import { startRawBackend, type RawAnswer, type RawBackend } from './raw-backend.ts';
import { administrator } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target } from './target.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
/** What a webhook that fails is told as, in kube-apiserver as well. */
const ofWebhook =
  /failed calling webhook|admission webhook \\"odd.hostile.example\\"|Internal error occurred: (?:json|invalid|add|remove|replace|move|copy|test|unable|doc|error in|unexpected)/;

/** The configuration of a webhook for the ConfigMaps of the ordinary user. */
function configuration({ certificate, port }: RawBackend): string {
  return JSON.stringify({
    metadata: { name: 'odd' },
    webhooks: [
      {
        name: 'odd.hostile.example',
        clientConfig: {
          url: `https://localhost:${port}/`,
          caBundle: Buffer.from(certificate).toString('base64'),
        },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'hostile' } },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 3,
      },
    ],
  });
}

/** An admission webhook that answers as it likes, while the ordinary user creates some objects. */
function webhook(name: string, answer: RawAnswer): HostileRow {
  return attack(`admission webhook: ${name}`, async (target) => {
    const admin = new Target(target.port, administrator);
    const backend = await startRawBackend(answer);
    try {
      await admin.http2([post(configurations, configuration(backend))]);
      const asked = Array.from({ length: 6 }, () =>
        target.http2([post(configMaps, '{"metadata":{"generateName":"odd-"},"data":{"a":"b"}}')]),
      );
      const answers = await Promise.all(asked);
      const others = answers.filter(({ statuses, text }) => statuses[0] !== 500 || !ofWebhook.test(text));
      return { statuses: others.flatMap(({ statuses }) => statuses), text: others[0]?.text ?? '' };
    } finally {
      await admin.http2([{ method: 'DELETE', path: `${configurations}/odd` }]);
      await backend.stop();
    }
  });
}

/** The same with a body that is right as HTTP. `response` says what is said beside `uid` and `allowed`. */
function reviewed(name: string, response: () => string, fields = ''): HostileRow {
  return webhook(name, (socket, head) => {
    // The id of the review is in the body, which need not have come yet; what is said of others is refused.
    const body = (uid: string): string =>
      `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"${uid}",` +
      `"allowed":true,${response()}}}`;
    let text = head.slice(head.indexOf('\r\n\r\n') + 4);
    const told = (): boolean => {
      const uid = /"uid":"([^"]+)"/.exec(text)?.[1];
      if (uid === undefined) return false;
      const whole = Buffer.from(body(uid));
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${fields}Content-Length: ${whole.length}\r\n` +
          'Connection: close\r\n\r\n',
      );
      socket.end(whole);
      return true;
    };
    if (told()) return;
    const more = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (told()) socket.off('data', more);
    };
    socket.on('data', more);
  });
}

const patchOf = (operations: readonly object[] | string): string => {
  const text = typeof operations === 'string' ? operations : JSON.stringify(operations);
  return `"patchType":"JSONPatch","patch":"${Buffer.from(text).toString('base64')}"`;
};
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const nothing = patchOf([]);

/** Webhooks of admission that mean no good. */
export const admissionRows: readonly HostileRow[] = [
  ...[...httpAnswers].map(([name, answer]) => webhook(name, answer)),
  webhook('16 MB of packed zeros', (socket) => {
    const packed = gzipSync(Buffer.alloc(16 << 20));
    socket.write(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n' +
        `Content-Length: ${packed.length}\r\nConnection: close\r\n\r\n`,
    );
    socket.end(packed);
  }),
  webhook('2 MB of brackets', (socket) => {
    socket.end(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\nConnection: close\r\n\r\n' +
        '['.repeat(2_000_000),
    );
  }),
  webhook('later, it says, for ever', (socket) => {
    socket.end('HTTP/1.1 429 Later\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  }),
  webhook('a redirect to the chain itself', (socket) => {
    socket.end('HTTP/1.1 307 There\r\nLocation: https://localhost:1/api\r\nContent-Length: 0\r\n\r\n');
  }),
  reviewed('another media type', () => nothing, 'Content-Type: text/html\r\n'),
  reviewed('100,000 operations', () =>
    patchOf(many(100_000, (i) => ({ op: 'add', path: `/data/k${i % 10}`, value: 'x' }))),
  ),
  reviewed('copies of copies', () =>
    patchOf([
      { op: 'add', path: '/data/c0', value: 'x'.repeat(1_000) },
      ...many(60, (i) => ({ op: 'copy', from: '/data', path: `/metadata/annotations${i === 0 ? '' : i}` })),
      ...many(60, () => ({ op: 'copy', from: '/data', path: '/data/again' })),
    ]),
  ),
  reviewed('20,000 moves to the front of a long list', () =>
    patchOf([
      { op: 'add', path: '/metadata/finalizers', value: many(20_000, (i) => `a.b/f${i}`) },
      ...many(20_000, () => ({ op: 'move', from: '/metadata/finalizers/19999', path: '/metadata/finalizers/0' })),
    ]),
  ),
  reviewed('a value of 9,000 levels', () =>
    patchOf(`[{"op":"add","path":"/data/deep","value":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}]`),
  ),
  reviewed('a path of 100,000 steps', () => patchOf([{ op: 'add', path: '/a'.repeat(100_000), value: 1 }])),
  reviewed('the prototypes of all', () =>
    patchOf([
      { op: 'add', path: '/__proto__/polluted', value: 'x' },
      { op: 'add', path: '/constructor/prototype/polluted', value: 'x' },
    ]),
  ),
  reviewed('100,000 keys', () =>
    patchOf([{ op: 'replace', path: '/data', value: Object.fromEntries(many(100_000, (i) => [`k${i}`, ''])) }]),
  ),
  reviewed('a text of 2 MB', () => patchOf([{ op: 'add', path: '/data/a', value: 'x'.repeat(2_000_000) }])),
  reviewed('a patch that is none', () => '"patchType":"JSONPatch","patch":"e30="'),
  reviewed('a patch of another kind', () => '"patchType":"Merge","patch":"W10="'),
  reviewed('100,000 warnings', () => `"warnings":${JSON.stringify(many(100_000, (i) => `warning ${i}`))}`),
  reviewed(
    'warnings of many lines',
    () => `"warnings":${JSON.stringify(many(50, () => 'a\r\nSet-Cookie: a=b\0é"\\'))}`,
  ),
  reviewed('a warning of 2 MB', () => `"warnings":[${JSON.stringify('é'.repeat(1_000_000))}]`),
  reviewed(
    '100,000 annotations for the audit log',
    () => `"auditAnnotations":${JSON.stringify(Object.fromEntries(many(100_000, (i) => [`k${i}`, 'v'])))}`,
  ),
  reviewed(
    'a refusal of 2 MB',
    () => `"allowed":false,"status":{"code":99999,"message":${JSON.stringify('x\n'.repeat(500_000))}}`,
  ),
  reviewed(
    'a refusal for 50,000 causes',
    () =>
      `"allowed":false,"status":{"code":422,"reason":"Invalid","details":{"causes":${JSON.stringify(
        many(50_000, (i) => ({ reason: 'FieldValueInvalid', field: `data.k${i}`, message: 'no' })),
      )}}}`,
  ),
  reviewed('the status of no number', () => '"allowed":false,"status":{"code":"x","status":[],"details":null}'),
];
