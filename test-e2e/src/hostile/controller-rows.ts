import { setTimeout as delay } from 'node:timers/promises';
import { namespaced, post } from './api-requests.ts';
import { attack } from './attack-frames.ts';
import { namespaceRows } from './namespace-rows.ts';
import { ownerRows } from './owner-rows.ts';
import { many, poured, together } from './pour.ts';
import type { HostileRow } from './row.ts';
import type { HostileRequest, Outcome, Target } from './target.ts';

/** How long the controllers are watched at it. */
const settleMs = 8_000;
/** The most that a count may be. */
const endless = 2 ** 31 - 1;
const labels = { hostile: 'many' };
const template = { metadata: { labels }, spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'i' }] } };
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };

/** A request for a certificate of `CN=someone`, by a key that nobody has any more. */
const certificateRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHMMHQCAQAwEjEQMA4GA1UEAwwHc29tZW9uZTBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABFYacAsj9vNVvFQBHMUkYXLDWaI8e6BP22fVW291jxC97QLWfpUftK5+
QkCzUAGGA0joqAK5hQgkG1q+BarTuf+gADAKBggqhkjOPQQDAgNIADBFAiBBThZj
CElVVfDKX1LxciSLd2wQ9vQKo9gSqtBoNg8vOwIhAOW064KtcCxVlwDneT9MCBzU
LT6qIYibSIgjpMGIJlnm
-----END CERTIFICATE REQUEST-----
`;

/** Objects for controllers, which are given some time with them; what is made, and what is to happen then. */
function worked(
  title: string,
  count: number,
  make: (i: number) => HostileRequest,
  then: (target: Target) => Promise<Outcome[]> = () => Promise.resolve([]),
): HostileRow {
  return attack(`controllers: ${title}`, async (target) => {
    const made = await poured(target, count, make);
    await delay(settleMs);
    const outcomes = [made, ...(await then(target))];
    if (outcomes.length > 1) await delay(settleMs);
    return together(outcomes);
  });
}

const made = (path: string, spec: object, metadata: object = {}): HostileRequest =>
  post(path, JSON.stringify({ metadata: { generateName: 'h-', labels, ...metadata }, spec }));
const removed = async (target: Target, ...paths: readonly string[]): Promise<Outcome[]> => [
  await target.http2(paths.map((path) => ({ method: 'DELETE', path }))),
];

/** What makes controllers work, by the thousand and without an end. */
const workRows = (count: number): readonly HostileRow[] => {
  const some = Math.ceil(count / 10);
  const accounts = namespaced('serviceaccounts');
  const notKept = '?fieldSelector=metadata.name!%3Dkept,metadata.name!%3Ddefault';
  return [
    worked('10 replica sets without an end', 10, () =>
      made(namespaced('replicasets', 'apps/v1'), { replicas: endless, selector: { matchLabels: labels }, template }),
    ),
    worked('10 jobs without an end', 10, () =>
      made(namespaced('jobs', 'batch/v1'), { parallelism: endless, completions: endless, template: jobTemplate }),
    ),
    worked('10 stateful sets without an end', 10, () =>
      made(namespaced('statefulsets', 'apps/v1'), {
        replicas: endless,
        podManagementPolicy: 'Parallel',
        serviceName: 's',
        selector: { matchLabels: labels },
        template,
      }),
    ),
    worked(`${some} deployments`, some, () =>
      made(namespaced('deployments', 'apps/v1'), { replicas: 1, selector: { matchLabels: labels }, template }),
    ),
    worked(
      `${some} service accounts with a token each, and their end`,
      2 * some,
      (i) =>
        i < some
          ? post(accounts, JSON.stringify({ metadata: { name: `a-${i}` } }))
          : post(
              namespaced('secrets'),
              JSON.stringify({
                metadata: {
                  name: `a-${i - some}`,
                  annotations: { 'kubernetes.io/service-account.name': `a-${i - some}` },
                },
                type: 'kubernetes.io/service-account-token',
              }),
            ),
      (target) => removed(target, `${accounts}${notKept}`),
    ),
    worked(`${some} requests for certificates`, some, () =>
      made('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        request: Buffer.from(certificateRequest).toString('base64'),
      }),
    ),
    worked(`${some} endpoints of no service`, some, (i) =>
      post(
        namespaced('endpoints'),
        JSON.stringify({
          metadata: { generateName: 'h-' },
          subsets: [{ addresses: many(20, (j) => ({ ip: `10.1.${i % 250}.${j}` })), ports: [{ port: 80 }] }],
        }),
      ),
    ),
    worked(
      `300 quotas of ${some} pods, and the end of these`,
      some + 300,
      (i) =>
        i < some
          ? made(namespaced('pods'), template.spec)
          : made(namespaced('resourcequotas'), {
              hard: { pods: '1000000', 'requests.cpu': '1000000', [`count/h${i}.x`]: '1' },
            }),
      (target) => removed(target, `${namespaced('pods')}?fieldSelector=metadata.name!%3Dkept`),
    ),
  ];
};

/** What is hostile to controllers, with so many objects where it is about their number. */
export const controllerRows = (count: number): readonly HostileRow[] => [
  ...ownerRows(count),
  ...namespaceRows(count),
  ...workRows(count),
];
