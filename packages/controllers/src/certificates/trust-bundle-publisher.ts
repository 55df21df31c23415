import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isNotFound, type KubeObject } from '@kubechain/apimachinery';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import type { ResourceType } from '../client/resource-type.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { whereServed } from '../controller/where-served.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

/** Certificates that are trusted for what a signer signs; the same in all versions of certificates.k8s.io. */
export interface ClusterTrustBundle extends KubeObject {
  readonly spec?: { readonly signerName?: string; readonly trustBundle?: string };
}

const SIGNER = 'kubernetes.io/kube-apiserver-serving';
/** There is one thing to do. */
const KEY = '';

/** Undefined without --root-ca-file: there is nothing to publish. */
export function newTrustBundlePublisher(context: ControllerContext): Controller | undefined {
  const file = context.flags.lifecycle['root-ca-file'];
  if (file === '') return undefined;
  return whereServed<ClusterTrustBundle>(
    context,
    { group: 'certificates.k8s.io', resource: 'clustertrustbundles' },
    (type) => Promise.resolve(new TrustBundlePublisher(context, type, readFileSync(file, 'utf8'))),
  );
}

/**
 * Keeps the authority of the API server's certificate in one ClusterTrustBundle, whose name changes with it, and
 * deletes all others of its signer (pkg/controller/certificates/clustertrustbundlepublisher).
 */
export class TrustBundlePublisher implements Controller {
  readonly #context: ControllerContext;
  readonly #type: ResourceType<ClusterTrustBundle>;
  readonly #authority: string;
  readonly #bundles: SharedInformer<ClusterTrustBundle>;
  readonly #queue: WorkQueue;

  /** `authority` is PEM. */
  constructor(context: ControllerContext, type: ResourceType<ClusterTrustBundle>, authority: string) {
    this.#context = context;
    this.#type = type;
    this.#authority = authority;
    this.#queue = new WorkQueue({
      clock: context.clock,
      metrics: context.queueMetrics,
      name: 'ca_cert_publisher_cluster_trust_bundles',
    });
    this.#bundles = context.informers.informer(type);
    const changed = ({ spec }: ClusterTrustBundle): void => {
      if (spec?.signerName === SIGNER) this.#queue.add(KEY);
    };
    this.#bundles.addHandlers({ onAdd: changed, onUpdate: changed, onDelete: changed });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#bundles.waitForSync(signal);
    this.#queue.add(KEY);
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: () => this.#sync(),
      onError: (error) => this.#context.log.error('cannot publish the trust bundle', error, { signer: SIGNER }),
    });
  }

  async #sync(): Promise<void> {
    const bundles = this.#context.client.resource(this.#type);
    const name = bundleName(SIGNER, this.#authority);
    const spec = { signerName: SIGNER, trustBundle: this.#authority };
    const published = this.#bundles.get(name);
    if (published === undefined) await bundles.create({ metadata: { name }, spec });
    else if (published.spec?.trustBundle !== this.#authority) await bundles.update({ ...published, spec });
    const old = this.#bundles.list().filter(({ metadata, spec: { signerName } = {} }) => {
      return signerName === SIGNER && metadata?.name !== name;
    });
    const failures: unknown[] = [];
    for (const { metadata } of old)
      await bundles.delete({ name: metadata?.name ?? '' }).catch((error: unknown) => {
        if (!isNotFound(error)) failures.push(error);
      });
    if (failures.length > 0) throw new AggregateError(failures, 'cannot delete trust bundles that are out of date');
  }
}

/** Signer and content: nobody reads an old bundle under a new one's name. */
export function bundleName(signer: string, trustBundle: string): string {
  const hash = createHash('sha256').update(trustBundle).digest().subarray(0, 12).toString('hex');
  return `${signer.replaceAll('/', ':')}:${hash}`;
}
