import {
  applyJSONPatch,
  compareText,
  decodeJSONPatch,
  goJSON,
  isFormatError,
  isStatusError,
  syntaxError,
  type GroupVersionKind,
  type JSONValue,
  messageOf,
  parseExactly,
  parseJSON,
  parseJSONValue,
  refuseManyValues,
  stringifyJSON,
} from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { Reinvoked } from '../reinvoked.ts';
import type { AdmissionResponse } from './admission-review.ts';
import { callHook } from './call-hook.ts';
import type { Hook } from './hook.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import { checkTime, handlesAll, hooksFor, reviewObjects, type WebhookPluginOptions } from './webhook-plugin.ts';
import { WebhookCallError } from './webhook-error.ts';

/**
 * Lets mutating webhooks change an object, one after the other, each seeing what those before it made of it
 * (admission/plugin/webhook/mutating, 1.36). Those that ask for it are called once more when somebody changed the
 * object after them.
 */
export class MutatingAdmissionWebhook implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook';
  readonly handles = handlesAll;
  readonly #options: WebhookPluginOptions;

  constructor(options: WebhookPluginOptions) {
    this.#options = options;
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const hooks = hooksFor(attributes, this.#options.source);
    if (hooks instanceof Promise) return hooks.then((known) => this.#call(attributes, known));
    return hooks.length === 0 ? undefined : this.#call(attributes, hooks);
  }

  async #call(attributes: AdmissionAttributes, hooks: readonly Hook[]): Promise<void> {
    const { reinvocation } = attributes;
    const invoked = Reinvoked.of(attributes, this.name);
    const round = reinvocation.again ? 1 : 0;
    if (round === 1 && (await invoked.differs(attributes))) invoked.changed();
    for (const [index, hook] of hooks.entries()) {
      await attributes.objects.rest();
      const invocation = await invocationOf(hook, attributes, this.#options);
      if (invocation === undefined || (round === 1 && !invoked.isDue(hook.uid))) continue;
      checkTime(attributes);
      if (await this.#invoke(attributes, invocation, `round_${round}_index_${index}`)) {
        invoked.changed();
        reinvocation.ask();
      }
      if (hook.webhook.reinvocationPolicy === 'IfNeeded') invoked.hadTurn(hook.uid);
    }
    if (!invoked.empty) await invoked.leave(attributes);
  }

  /** Whether the webhook changed the object. */
  async #invoke(attributes: AdmissionAttributes, invocation: Invocation, place: string): Promise<boolean> {
    const { configuration, webhook } = invocation.hook;
    const objects = await reviewObjects(attributes, invocation.kind);
    let changed = false;
    await callHook({
      invocation,
      attributes,
      objects,
      type: 'admit',
      metrics: this.#options.metrics,
      failedOpenKey: `failed-open.mutation.webhook.admission.k8s.io/${place}`,
      apply: async (response) => {
        changed = await applyResponse(response, {
          attributes,
          webhook: webhook.name,
          kind: invocation.kind,
          before: objects.object,
          annotatePatch: (patch) => {
            attributes.addRequestAnnotation?.(
              `patch.webhook.admission.k8s.io/${place}`,
              () =>
                `{"configuration":${goJSON(configuration)},"webhook":${goJSON(webhook.name)},` +
                `"patch":${patchText(patch)},"patchType":"JSONPatch"}`,
            );
          },
        });
      },
    });
    attributes.addAuditAnnotation(
      `mutation.webhook.admission.k8s.io/${place}`,
      JSON.stringify({ configuration, webhook: webhook.name, mutated: changed }),
    );
    return changed;
  }
}

/** Puts the patched object into the attributes; resolves to whether it differs. */
async function applyResponse(
  response: AdmissionResponse,
  target: {
    readonly attributes: AdmissionAttributes;
    readonly webhook: string;
    readonly kind: GroupVersionKind;
    readonly before: string;
    readonly annotatePatch: (patch: string) => void;
  },
): Promise<boolean> {
  const { annotatePatch, attributes, before, kind, webhook } = target;
  if ((response.patch ?? '') === '') return false;
  const { objects } = attributes;
  await objects.rest();
  const patch = readPatch(webhook, response);
  if (patch.length === 0) return false;
  if (attributes.object === undefined)
    throw new TypeError(
      `admission webhook ${JSON.stringify(webhook)} attempted to modify the object, which is not supported ` +
        'for this operation',
    );
  if (response.patchType !== 'JSONPatch')
    throw new WebhookCallError(webhook, `unsupported patch type ${JSON.stringify(response.patchType)}`, {
      code: 400,
      reason: 'invalid_answer',
    });
  await objects.rest();
  const result = patched(before, patch);
  await objects.rest();
  const after = stringifyJSON(result);
  refuseManyValues(Buffer.from(after));
  const object = await objects.decode(after, kind);
  annotatePatch(response.patch ?? '');
  attributes.object = object;
  const read = await objects.encode(object, kind);
  attributes.observation?.changed(`webhook ${webhook}`, before, read);
  return read !== before;
}

/** A patch as Go writes what it has read of it: the members of each operation in order, all else as it came. */
function patchText(base64: string): string {
  const operations = parseJSON(Buffer.from(base64, 'base64').toString()) as readonly Readonly<
    Record<string, unknown>
  >[];
  const written = operations.map((operation) =>
    Object.fromEntries(Object.entries(operation).sort(([a], [b]) => compareText(a, b))),
  );
  return goJSON(written);
}

function readPatch(webhook: string, { patch = '' }: AdmissionResponse): ReturnType<typeof decodeJSONPatch> {
  const text = Buffer.from(patch, 'base64');
  try {
    refuseManyValues(text);
    return decodeJSONPatch(parseJSONValue(text).value, { typed: false });
  } catch (error) {
    throw new WebhookCallError(
      webhook,
      `received undecodable patch in webhook response: ${syntaxError(text) ?? messageOf(error)}`,
      { cause: error, code: 503, reason: 'invalid_answer' },
    );
  }
}

/** @throws TypeError with the reason that a patch API would not tell */
function patched(document: string, patch: ReturnType<typeof decodeJSONPatch>): JSONValue {
  try {
    return applyJSONPatch(parseExactly(document), patch);
  } catch (error) {
    throw isStatusError(error) && isFormatError(error.cause)
      ? new TypeError(error.cause.message, { cause: error })
      : error;
  }
}
