import { mirrorPodAnnotation, randomSuffix, StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Pod, ServiceAccount as Account } from '@kubechain/apimachinery/types/core/v1';
import type { ObjectLookup } from '../object-lookup.ts';
import { refusedSecret, secretNames } from './secret-references.ts';
import { mountToken } from './token-volume.ts';

const defaultAccount = 'default';
const enforceAnnotation = 'kubernetes.io/enforce-mountable-secrets';
/** A controller makes the default account of a new namespace: it may be on its way. */
const attemptsForDefault = 10;
const suffixLength = 5;
const retryMs = { least: 100, spread: 100 };

export interface ServiceAccountOptions {
  readonly accounts: ObjectLookup;
  /** Numbers in [0, 1), for names of volumes and pauses. */
  readonly random: () => number;
  /** Waits that long. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Gives pods a service account that exists, its token and its pull secrets (plugin/pkg/admission/serviceaccount, 1.36).
 */
export class ServiceAccount implements AdmissionPlugin {
  readonly name = 'ServiceAccount';
  readonly #accounts: ObjectLookup;
  readonly #random: () => number;
  readonly #sleep: (milliseconds: number) => Promise<void>;

  constructor(options: ServiceAccountOptions) {
    this.#accounts = options.accounts;
    this.#random = options.random;
    this.#sleep = options.sleep;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (attributes.operation !== 'CREATE' || !isPod(attributes) || attributes.subresource !== '') return;
    const pod = attributes.object as Pod;
    const { spec } = pod;
    if (spec === undefined) return;
    if (isMirror(pod)) {
      refuseMirror(attributes, pod);
      return;
    }
    spec.serviceAccountName ||= defaultAccount;
    spec.serviceAccount = spec.serviceAccountName;
    const account = await this.#account(attributes, spec.serviceAccountName);
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
      mountToken(spec, randomSuffix(suffixLength, this.#random));
    if ((spec.imagePullSecrets?.length ?? 0) === 0 && (account.imagePullSecrets?.length ?? 0) > 0)
      spec.imagePullSecrets = (account.imagePullSecrets ?? []).map(({ name = '' }) => ({ name }));
    this.#checkSecrets(attributes, pod, account);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!isPod(attributes)) return;
    const ephemeral = attributes.operation === 'UPDATE' && attributes.subresource === 'ephemeralcontainers';
    if (!ephemeral && (attributes.operation !== 'CREATE' || attributes.subresource !== '')) return;
    const pod = attributes.object as Pod;
    if (!ephemeral && isMirror(pod)) {
      refuseMirror(attributes, pod);
      return;
    }
    const name = pod.spec?.serviceAccountName ?? '';
    if (name === '')
      throw admissionForbidden(
        attributes,
        `no service account specified for pod ${attributes.namespace}/${pod.metadata?.name ?? ''}`,
      );
    this.#checkSecrets(attributes, pod, await this.#account(attributes, name));
  }

  #checkSecrets(attributes: AdmissionAttributes, pod: Pod, account: Account): void {
    if (!isTrue(account.metadata?.annotations?.[enforceAnnotation]) || pod.spec === undefined) return;
    const reason = refusedSecret(pod.spec, account, attributes.subresource === 'ephemeralcontainers');
    if (reason !== undefined) throw admissionForbidden(attributes, reason);
  }

  async #find(attributes: AdmissionAttributes, name: string): Promise<KubeObject | undefined> {
    try {
      return await this.#accounts.get(name, attributes.namespace);
    } catch (error) {
      throw error instanceof StatusError ? unavailable(attributes, name, error.message) : error;
    }
  }

  async #account(attributes: AdmissionAttributes, name: string): Promise<Account> {
    const attempts = name === defaultAccount ? attemptsForDefault : 1;
    const pauseMs = retryMs.least + this.#random() * retryMs.spread;
    for (let attempt = 1; ; attempt++) {
      const account = await this.#find(attributes, name);
      if (account !== undefined) return account as Account;
      if (attempt === attempts) throw unavailable(attributes, name, `serviceaccount "${name}" not found`);
      await this.#sleep(pauseMs);
    }
  }
}

function unavailable(attributes: AdmissionAttributes, name: string, reason: string): StatusError {
  return admissionForbidden(attributes, `error looking up service account ${attributes.namespace}/${name}: ${reason}`);
}

function isPod({ object, resource, subresource }: AdmissionAttributes): boolean {
  return (
    resource.group === '' &&
    resource.resource === 'pods' &&
    (subresource === '' || subresource === 'ephemeralcontainers') &&
    object !== undefined
  );
}

function isMirror(pod: Pod): boolean {
  return pod.metadata?.annotations?.[mirrorPodAnnotation] !== undefined;
}

/** Texts that Go's strconv.ParseBool takes for true. */
function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);
}

/** Pods that a kubelet made of files cannot use anything that only the API can give. @throws StatusError Forbidden */
function refuseMirror(attributes: AdmissionAttributes, { spec }: Pod): void {
  if (spec?.serviceAccountName) throw admissionForbidden(attributes, 'a mirror pod may not reference service accounts');
  if (spec !== undefined && secretNames(spec).length > 0)
    throw admissionForbidden(attributes, 'a mirror pod may not reference secrets');
  const projectsToken = (spec?.volumes ?? []).some((volume) =>
    (volume.projected?.sources ?? []).some((source) => source.serviceAccountToken !== undefined),
  );
  if (projectsToken)
    throw admissionForbidden(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}
