import { append } from '@kubechain/apimachinery';
import { LaunchError } from '../launch-error.ts';
import type { APIAnswer, JSONClient } from '../testing/json-client.ts';
import { established } from '../testing/install-manifests.ts';
import { findingsOf } from './findings-of.ts';
import type { Finding, ValidatedObject } from './finding.ts';
import { policiesSeen } from './policy-probe.ts';
import { ResourcePaths } from './resource-paths.ts';
import type { SourceObject, Sources } from './source-object.ts';

/** How objects are judged. */
export interface ValidateOptions {
  /** Of objects that name none. */
  readonly namespace: string;
  /** A Pod Security Standard that namespaces without labels enforce. */
  readonly podSecurity?: string;
  /** Kinds that nobody serves are left out instead of found. */
  readonly ignoreMissing: boolean;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface Candidate {
  readonly source: SourceObject;
  readonly manifest: Manifest;
  readonly name: string;
  readonly findings: Finding[];
  /** How it is created; absent when it could not be. */
  path?: string;
}

const parallel = 16;
/** What others need comes before them; what would be called is not there, so that it is judged alone. */
const first = ['Namespace', 'CustomResourceDefinition'];
const policies = /^(Validating|Mutating)AdmissionPolicy(Binding)?$/;
const alone = /^((Mutating|Validating)WebhookConfiguration|APIService)$/;
const supporting = /^(PriorityClass|RuntimeClass|StorageClass|IngressClass|LimitRange|ResourceQuota|ServiceAccount)$/;

/**
 * Has all objects created by the servers themselves, in memory: decoded strictly, defaulted, validated, held to pod
 * security, and, where there are any among them, to admission policies.
 * @throws LaunchError when the servers cannot start
 */
export function validate(
  servers: JSONClient,
  sources: Sources,
  options: ValidateOptions,
): Promise<readonly ValidatedObject[]> {
  return new Validation(servers, options).run(sources);
}

class Validation {
  readonly #client: JSONClient;
  readonly #options: ValidateOptions;
  readonly #seen = new Map<string, Candidate>();

  constructor(client: JSONClient, options: ValidateOptions) {
    this.#client = client;
    this.#options = options;
  }

  async run({ errors, objects }: Sources): Promise<readonly ValidatedObject[]> {
    const broken = errors.map(({ message, place }): ValidatedObject => ({
      object: '',
      place,
      findings: [{ level: 'error', rule: 'yaml', message, place, object: '' }],
    }));
    const candidates = objects.map(candidateOf);
    const usable = candidates.filter(({ findings }) => findings.length === 0);
    const ofKind = (kinds: (kind: string) => boolean): Candidate[] =>
      usable.filter(({ manifest }) => kinds(manifest.kind));
    await this.#create(ofKind((kind) => kind === first[0]));
    await this.#makeNamespaces(usable);
    const definitions = ofKind((kind) => kind === first[1]);
    await this.#create(definitions);
    await Promise.all(definitions.map((definition) => this.#established(definition)));
    await this.#create(ofKind((kind) => supporting.test(kind)));
    const rest = ofKind(
      (kind) => !first.includes(kind) && !supporting.test(kind) && !policies.test(kind) && !alone.test(kind),
    );
    await this.#create(rest);
    const rules = ofKind((kind) => policies.test(kind));
    await this.#create(rules);
    await this.#create(
      ofKind((kind) => alone.test(kind)),
      true,
    );
    if (rules.length > 0) {
      await policiesSeen(this.#client);
      await this.#judge(usable.filter((candidate) => !rules.includes(candidate)));
    }
    return [
      ...broken,
      ...candidates.map(({ findings, name, source }) => ({ object: name, place: source.place(), findings })),
    ];
  }

  /** Those that objects are in, and that nobody brings along. */
  async #makeNamespaces(candidates: readonly Candidate[]): Promise<void> {
    const { namespace, podSecurity } = this.#options;
    const named = new Set(candidates.map(({ manifest }) => manifest.metadata.namespace ?? namespace));
    const labels = podSecurity === undefined ? {} : { 'pod-security.kubernetes.io/enforce': podSecurity };
    await Promise.all(
      [...named].map(async (name) => {
        const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
        const answer = await this.#client.ask({ method: 'POST', path: '/api/v1/namespaces', body: object });
        if (answer.status === 409 && podSecurity !== undefined && !this.#seen.has(`v1 Namespace ${name}`))
          await this.#client.send({
            method: 'PATCH',
            path: `/api/v1/namespaces/${name}`,
            contentType: 'application/merge-patch+json',
            body: object,
          });
      }),
    );
  }

  async #create(candidates: readonly Candidate[], dryRun = false): Promise<void> {
    const paths = new ResourcePaths(this.#client);
    await inParallel(candidates, async (candidate) => {
      const { findings, manifest, source } = candidate;
      const { apiVersion, kind, metadata } = manifest;
      const resource = await paths.find(apiVersion, kind);
      if (resource === undefined) {
        if (!this.#options.ignoreMissing)
          findings.push(errorOf(candidate, 'kind', `no matches for kind "${kind}" in version "${apiVersion}"`));
        return;
      }
      const earlier = this.#seen.get(candidate.name);
      if (earlier !== undefined && metadata.name !== undefined) {
        const { file, line } = earlier.source.place();
        findings.push(errorOf(candidate, 'metadata.name', `is there already: ${file}:${line}`, 'alreadyexists'));
        return;
      }
      this.#seen.set(candidate.name, candidate);
      const within = resource.namespaced ? `/namespaces/${metadata.namespace ?? this.#options.namespace}` : '';
      candidate.path =
        `${ResourcePaths.base(apiVersion)}${within}/${resource.name}?fieldValidation=Strict&` +
        'fieldManager=kubechain';
      const answer = await this.#post(candidate, dryRun);
      // The servers have made it themselves: a namespace, a service.
      if (answer.status !== 409) append(findings, findingsOf(answer, source, candidate.name));
    });
  }

  /** Asks again, now that there are policies. What is there already has passed them. */
  async #judge(candidates: readonly Candidate[]): Promise<void> {
    await inParallel(candidates, async (candidate) => {
      if (candidate.findings.some(({ level }) => level === 'error')) return;
      const answer = await this.#post(candidate, true);
      const found = findingsOf(
        answer.status === 409 ? { ...answer, status: 200 } : answer,
        candidate.source,
        candidate.name,
      );
      const known = new Set(candidate.findings.map(({ message }) => message));
      append(
        candidate.findings,
        found.filter(({ message }) => !known.has(message)),
      );
    });
  }

  #post({ manifest, path }: Candidate, dryRun: boolean): Promise<APIAnswer> {
    if (path === undefined) return Promise.resolve({ status: 200, text: '', warnings: [] });
    return this.#client.ask({ method: 'POST', path: dryRun ? `${path}&dryRun=All` : path, body: manifest });
  }

  async #established(candidate: Candidate): Promise<void> {
    if (candidate.findings.some(({ level }) => level === 'error')) return;
    try {
      await established(this.#client, candidate.manifest.metadata.name ?? '');
    } catch (error) {
      if (!(error instanceof LaunchError)) throw error;
      candidate.findings.push(errorOf(candidate, 'spec.names', error.message));
    }
  }
}

function candidateOf(source: SourceObject): Candidate {
  const value = source.value as Partial<Manifest> | undefined;
  const { apiVersion, kind, metadata } = typeof value === 'object' ? value : {};
  const id = [metadata?.namespace, metadata?.name ?? metadata?.generateName]
    .filter((part) => part !== undefined)
    .join('/');
  const candidate: Candidate = {
    source,
    manifest: value as Manifest,
    name: [apiVersion, kind, id].filter((part) => part !== undefined).join(' '),
    findings: [],
  };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata !== 'object')
    candidate.findings.push(errorOf(candidate, '', 'is no object: apiVersion, kind and metadata are needed', 'object'));
  return candidate;
}

function errorOf({ name, source }: Candidate, field: string, message: string, rule = 'invalid'): Finding {
  return { level: 'error', rule, message, object: name, place: source.place(field) };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
