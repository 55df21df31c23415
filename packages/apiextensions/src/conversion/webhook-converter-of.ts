import { randomUUID } from 'node:crypto';
import type { CustomResourceDefinition } from '../crd/crd-types.ts';
import type { ObjectConverter } from './object-converter.ts';
import { WebhookClient } from './webhook-client.ts';
import type { ServiceResolver } from './webhook-client.ts';
import { WebhookConverter } from './webhook-converter.ts';

/** The converter of a CRD with strategy Webhook. Nothing is connected before the first conversion. */
export function webhookConverterOf(crd: CustomResourceDefinition, resolver: ServiceResolver): ObjectConverter {
  const webhook = crd.spec.conversion?.webhook;
  return new WebhookConverter({ client: new WebhookClient(webhook?.clientConfig ?? {}, { resolver }), reviewVersions: webhook?.conversionReviewVersions ?? [], newUID: () => randomUUID() });
}
