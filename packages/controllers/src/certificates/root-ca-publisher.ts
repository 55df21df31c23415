import { readFileSync } from 'node:fs';
import { isNotFound } from '@kubechain/apimachinery';
import type { ConfigMap, Namespace } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

const NAME = 'kube-root-ca.crt';
const ANNOTATION = 'kubernetes.io/description';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as ' +
  'the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Undefined without --root-ca-file: there is nothing to publish. */
export function newRootCAPublisher(context: ControllerContext): RootCAPublisher | undefined {
  const file = context.flags.lifecycle['root-ca-file'];
  return file === '' ? undefined : new RootCAPublisher(context, readFileSync(file, 'utf8'));
}

/**
 * Keeps the authority of the API server's certificate in every namespace, as ConfigMap kube-root-ca.crt
 * (pkg/controller/certificates/rootcacertpublisher).
 */
export class RootCAPublisher implements Controller {
  readonly #context: ControllerContext;
  readonly #ca: string;
  readonly #configMaps: SharedInformer<ConfigMap>;
  readonly #namespaces: SharedInformer<Namespace>;
  /** Names of namespaces. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext, ca: string) {
    this.#context = context;
    this.#ca = ca;
    this.#queue = new WorkQueue({
      clock: context.clock,
      metrics: context.queueMetrics,
      name: 'root_ca_cert_publisher',
    });
    this.#configMaps = context.informers.informer(resources.configmaps, {
      fieldSelector: `metadata.name=${NAME}`,
    });
    this.#namespaces = context.informers.informer(resources.namespaces);
    const changed = ({ metadata }: ConfigMap): void => {
      this.#queue.add(metadata?.namespace ?? '');
    };
    this.#configMaps.addHandlers({ onUpdate: changed, onDelete: changed });
    this.#namespaces.addHandlers({
      onAdd: ({ metadata }) => this.#queue.add(metadata?.name ?? ''),
      onUpdate: ({ metadata, status }) => {
        if (status?.phase === 'Active') this.#queue.add(metadata?.name ?? '');
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#configMaps.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: (namespace) => this.#sync(namespace),
      onError: (error, namespace) => this.#context.log.error('cannot publish the root CA', error, { namespace }),
    });
  }

  async #sync(namespace: string): Promise<void> {
    const configMaps = this.#context.client.resource(resources.configmaps);
    const found = this.#configMaps.get(`${namespace}/${NAME}`);
    const data = { 'ca.crt': this.#ca };
    if (found === undefined) {
      try {
        await configMaps.create({
          metadata: { namespace, name: NAME, annotations: { [ANNOTATION]: DESCRIPTION } },
          data,
        });
      } catch (error) {
        if (!isNotFound(error) && !hasCause(error, NAMESPACE_TERMINATING)) throw error;
      }
      return;
    }
    const annotation = found.metadata?.annotations?.[ANNOTATION] ?? '';
    const keys = Object.keys(found.data ?? {});
    if (keys.length === 1 && found.data?.['ca.crt'] === this.#ca && annotation !== '') return;
    await configMaps.update({
      ...found,
      metadata: { ...found.metadata, annotations: { ...found.metadata?.annotations, [ANNOTATION]: DESCRIPTION } },
      data,
    });
  }
}
