import { messageOf } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import { KeptAnswers, admissionForbidden, withRetries } from '@kubechain/apiserver/resources';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  KubeClient,
} from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** Answers kept; the oldest goes. */
const maxAnswers = 1_024;
const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';
/** Of pods that were let in because nobody answered. */
const failedOpenAnnotation = 'alpha.image-policy.k8s.io/failed-open';

interface ImageReviewStatus {
  readonly allowed?: boolean;
  readonly reason?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export interface ImagePolicyWebhookOptions {
  readonly client: Pick<KubeClient, 'create'>;
  readonly clock: Clock;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** How long a yes is believed, in milliseconds. */
  readonly allowTTLMs: number;
  /** How long a no is. */
  readonly denyTTLMs: number;
  /** The first wait before it is asked again. */
  readonly retryBackoffMs: number;
  /** Whether pods get in while nobody answers. */
  readonly defaultAllow: boolean;
}

/** Asks a webhook whether the images of a pod may be used (plugin/pkg/admission/imagepolicy, 1.36). */
export class ImagePolicyWebhook implements AdmissionPlugin {
  readonly name = 'ImagePolicyWebhook';
  readonly #options: ImagePolicyWebhookOptions;
  readonly #answers: KeptAnswers<ImageReviewStatus>;

  constructor(options: ImagePolicyWebhookOptions) {
    this.#options = options;
    this.#answers = new KeptAnswers({ limit: maxAnswers, clock: options.clock });
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object, resource, subresource } = attributes;
    if (resource.group !== '' || resource.resource !== 'pods') return;
    if (subresource !== '' && subresource !== 'ephemeralcontainers') return;
    const pod = object as Pod;
    const status = await this.#statusOf(attributes, reviewOf(attributes, pod));
    if (status === undefined) return;
    for (const [key, value] of Object.entries(status.auditAnnotations ?? {}))
      attributes.addAuditAnnotation(auditPrefix + key, value);
    if (status.allowed === true) return;
    throw admissionForbidden(
      attributes,
      (status.reason ?? '') === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webhook backend denied one or more images: ${status.reason ?? ''}`,
    );
  }

  /** Undefined for a pod that gets in unasked. @throws StatusError for one that does not */
  async #statusOf(attributes: AdmissionAttributes, review: KubeObject): Promise<ImageReviewStatus | undefined> {
    const { allowTTLMs, client, defaultAllow, denyTTLMs, retryBackoffMs, sleep } = this.#options;
    const key = JSON.stringify(review['spec']);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    try {
      const answer = await withRetries(() => client.create('', review), sleep, retryBackoffMs);
      const status = (answer['status'] ?? {}) as ImageReviewStatus;
      this.#answers.keep(key, status, status.allowed === true ? allowTTLMs : denyTTLMs);
      return status;
    } catch (error) {
      if (!defaultAllow) throw admissionForbidden(attributes, messageOf(error));
      attributes.addAuditAnnotation(`${auditPrefix}failed-open`, 'true');
      const metadata = (attributes.object!.metadata ??= {});
      metadata.annotations = { ...metadata.annotations, [failedOpenAnnotation]: 'true' };
      return undefined;
    }
  }
}

function reviewOf({ namespace, subresource }: AdmissionAttributes, { metadata, spec }: Pod): KubeObject {
  const asked =
    subresource === ''
      ? [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]
      : (spec?.ephemeralContainers ?? []);
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) =>
    key.includes('.image-policy.k8s.io/'),
  );
  return {
    apiVersion: 'imagepolicy.k8s.io/v1alpha1',
    kind: 'ImageReview',
    metadata: {},
    spec: {
      containers: asked.map(({ image = '' }) => (image === '' ? {} : { image })),
      ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
      ...(namespace === '' ? {} : { namespace }),
    },
  };
}
