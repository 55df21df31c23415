import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { ConfigMap, Secret } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { bootstrapTokens, isBootstrapToken, signingToken } from './bootstrap-tokens.ts';
import { detachedSignature } from './detached-signature.ts';

const info = { name: 'cluster-info', namespace: 'kube-public' } as const;
const key = `${info.namespace}/${info.name}`;
const contentKey = 'kubeconfig';
const signaturePrefix = 'jws-kubeconfig-';

/**
 * Keeps a signature by each bootstrap token beside the kubeconfig of kube-public/cluster-info, so that who knows a
 * token can believe it (pkg/controller/bootstrap/bootstrapsigner.go, 1.36).
 */
export class BootstrapSigner implements Controller {
  readonly #context: ControllerContext;
  readonly #configMaps: SharedInformer<ConfigMap>;
  readonly #secrets: SharedInformer<Secret>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = new WorkQueue({
      clock: context.clock,
      metrics: context.queueMetrics,
      name: 'bootstrap_signer_queue',
    });
    this.#configMaps = context.informers.informer(resources.configmaps, {
      fieldSelector: `metadata.name=${info.name},metadata.namespace=${info.namespace}`,
    });
    this.#secrets = context.informers.informer(resources.secrets, { fieldSelector: bootstrapTokens.fieldSelector });
    const infoChanged = (): void => this.#queue.add(key);
    this.#configMaps.addHandlers({ onAdd: infoChanged, onUpdate: infoChanged });
    const tokenChanged = (secret: Secret): void => {
      if (isBootstrapToken(secret)) this.#queue.add(key);
    };
    this.#secrets.addHandlers({ onAdd: tokenChanged, onUpdate: tokenChanged, onDelete: tokenChanged });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#configMaps.waitForSync(signal), this.#secrets.waitForSync(signal)]);
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: () => this.#sync(),
      onError: (error) => this.#context.log.error('cannot sign cluster-info', error),
    });
  }

  async #sync(): Promise<void> {
    const configMap = this.#configMaps.get(key);
    const before = configMap?.data ?? {};
    const content = before[contentKey];
    if (configMap === undefined || content === undefined) return;
    const data: Record<string, string> = {};
    for (const [name, text] of Object.entries(before)) if (!name.startsWith(signaturePrefix)) data[name] = text;
    const nowMs = this.#context.clock.now();
    for (const secret of this.#secrets.list(bootstrapTokens.namespace)) {
      const token = isBootstrapToken(secret) ? signingToken(secret, nowMs) : undefined;
      if (token !== undefined) data[signaturePrefix + token.id] = detachedSignature(content, token);
    }
    const names = Object.keys(data);
    if (names.length === Object.keys(before).length && names.every((name) => data[name] === before[name])) return;
    try {
      await this.#context.client.resource(resources.configmaps).update({ ...configMap, data });
    } catch (error) {
      // A newer one comes through the informer.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
}
