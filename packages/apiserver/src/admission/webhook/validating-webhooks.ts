import type { GroupVersionKind } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import type { ReviewObjects } from './admission-review.ts';
import { callHook } from './call-hook.ts';
import type { Hook } from './hook.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import { checkTime, handlesAll, hooksFor, reviewObjects, type WebhookPluginOptions } from './webhook-plugin.ts';

/** Asks validating webhooks, all at once (admission/plugin/webhook/validating, 1.36). */
export class ValidatingAdmissionWebhook implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly handles = handlesAll;
  readonly #options: WebhookPluginOptions;

  constructor(options: WebhookPluginOptions) {
    this.#options = options;
  }

  validate(attributes: AdmissionAttributes): void | Promise<void> {
    const hooks = hooksFor(attributes, this.#options.source);
    if (hooks instanceof Promise) return hooks.then((known) => this.#call(attributes, known));
    return hooks.length === 0 ? undefined : this.#call(attributes, hooks);
  }

  async #call(attributes: AdmissionAttributes, hooks: readonly Hook[]): Promise<void> {
    const invocations: Invocation[] = [];
    for (const hook of hooks) {
      await attributes.objects.rest();
      const invocation = await invocationOf(hook, attributes, this.#options);
      if (invocation !== undefined) invocations.push(invocation);
    }
    if (invocations.length === 0) return;
    checkTime(attributes);
    const versions = new Map<string, Promise<ReviewObjects>>();
    const objectsIn = (kind: GroupVersionKind): Promise<ReviewObjects> => {
      const key = `${kind.group}/${kind.version}/${kind.kind}`;
      let objects = versions.get(key);
      if (objects === undefined) versions.set(key, (objects = reviewObjects(attributes, kind)));
      return objects;
    };
    let refusal: { readonly error: unknown } | undefined;
    await Promise.all(
      invocations.map(async (invocation, index) => {
        try {
          await callHook({
            invocation,
            attributes,
            objects: await objectsIn(invocation.kind),
            type: 'validating',
            metrics: this.#options.metrics,
            failedOpenKey: `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`,
            apply: () => Promise.resolve(),
          });
        } catch (error) {
          // The first refusal is the answer; all others are waited for, so that what they say is counted.
          refusal ??= { error };
        }
      }),
    );
    if (refusal !== undefined) throw refusal.error;
  }
}
