import { noLabel, selectorFromObject, type LabelSelector, type LabelSelectorObject } from '@kubechain/apimachinery';
import type { TellWebhookCall } from '../../peers/webhook-calls.ts';
import { WebhookClient, type WebhookClientOptions, type WebhookTarget } from '../../webhook/webhook-client.ts';
import { MatchConditions, type StoredCondition } from '../cel/match-conditions.ts';
import type { AdmissionRule } from './rules.ts';

/** A webhook as it stands in a configuration. */
export interface StoredWebhook {
  readonly name: string;
  readonly clientConfig: WebhookTarget;
  readonly rules?: readonly AdmissionRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly StoredCondition[];
}

/** A webhook that is ready to be matched and called. */
export interface Hook {
  /** Of all webhooks of all configurations; the same for a webhook whose configuration changes elsewhere. */
  readonly uid: string;
  readonly configuration: string;
  readonly webhook: StoredWebhook;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly conditions: MatchConditions;
  readonly client: Pick<WebhookClient, 'post' | 'close'>;
  /** Told of calls; absent where there is no journal. */
  readonly tell?: TellWebhookCall | undefined;
}

/** The webhooks of a configuration, in its order. */
export function hooksOf(
  configuration: string,
  webhooks: readonly StoredWebhook[],
  options: WebhookClientOptions & { readonly uidPrefix?: string },
): Hook[] {
  const seen = new Map<string, number>();
  return webhooks.map((webhook) => {
    const count = seen.get(webhook.name) ?? 0;
    seen.set(webhook.name, count + 1);
    return {
      uid: `${options.uidPrefix ?? ''}${configuration}/${webhook.name}/${count}`,
      configuration,
      webhook,
      tell: options.services.tell,
      client: new WebhookClient(webhook.clientConfig, { ...options, name: webhook.name }),
      namespaceSelector: selectorOf(webhook.namespaceSelector),
      objectSelector: selectorOf(webhook.objectSelector),
      conditions: new MatchConditions(webhook.matchConditions ?? [], {
        params: false,
        composition: undefined,
        failurePolicy: webhook.failurePolicy,
      }),
    };
  });
}

/** Stored before defaults were known, a webhook without a selector selects everything. */
function selectorOf(selector: LabelSelectorObject | undefined): LabelSelector {
  try {
    return selectorFromObject(selector ?? {});
  } catch {
    return noLabel;
  }
}
