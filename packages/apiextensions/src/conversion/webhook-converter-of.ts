import { WebhookClient } from '@kubechain/apiserver/resources';
import type { WebhookServices } from '@kubechain/apiserver/resources';
import type { ConversionMetrics } from './conversion-metrics.ts';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import type { ObjectConverter } from './object-converter.ts';
import { WebhookConverter } from './webhook-converter.ts';

/** The converter of a CRD with strategy Webhook. Nothing is connected before the first conversion. */
export function webhookConverterOf(
  crd: CustomResourceDefinition,
  {
    metrics,
    newUID,
    services,
  }: { readonly services: WebhookServices; readonly metrics: ConversionMetrics; readonly newUID: () => string },
): ObjectConverter {
  const name = crd.metadata?.name ?? '';
  const webhook = crd.spec.conversion?.webhook;
  return new WebhookConverter({
    client: new WebhookClient(webhook?.clientConfig ?? {}, { services, name }),
    reviewVersions: webhook?.conversionReviewVersions ?? [],
    newUID,
    crd: name,
    metrics,
  });
}
