import { step } from '@kubechain/shared-storage/tracing';
import type { Exchange } from '../exchange.ts';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';

/** Sends an answer, as a step of a request that is traced (responsewriters/writers.go SerializeObject, 1.36). */
export function serialized(
  { context, request }: Exchange,
  { mediaType }: OutputMediaType,
  send: () => Promise<void>,
): Promise<void> {
  const { span } = context;
  if (span === undefined) return send();
  return step(span, 'SerializeObject', {
    attributes: {
      'audit-id': context.auditID,
      method: request.method ?? 'GET',
      url: context.requestInfo.path,
      protocol: `HTTP/${request.httpVersion}`,
      mediaType: mediaType.name,
      encoder: mediaType.format,
    },
    work: send,
  });
}
