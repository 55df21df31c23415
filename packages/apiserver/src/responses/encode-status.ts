import { builtinScheme, encodeCBOR, encodeProtobuf, escapeHTML, encodeYAML, parseQuery } from '@kubechain/apimachinery';
import type { KubeObject, Status } from '@kubechain/apimachinery';
import type { IncomingMessage } from 'node:http';
import { resourceMediaTypes } from '../negotiation/media-types.ts';
import { negotiate, plainOffer } from '../negotiation/negotiate.ts';
import { wantsPretty } from '../negotiation/pretty.ts';

/** A body with the media type that it is in. */
export interface EncodedStatus {
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Status for the wire, in the media type that the client accepts. When it accepts none, the Status matters more than
 * the type: indented JSON. `cbor`: CBOR is offered as well; default it is not. YAML is loaded
 * when it is first asked for, hence the promise.
 */
export function encodeStatus(
  status: Status,
  request: IncomingMessage,
  { cbor }: { readonly cbor: boolean } = { cbor: false },
): EncodedStatus | Promise<EncodedStatus> {
  const output = negotiate(request.headers.accept, plainOffer(resourceMediaTypes({ cbor })));
  if (output === undefined) return encodeJSONStatus(status, true);
  switch (output.mediaType.format) {
    case 'yaml':
      return encodeYAML(status as KubeObject).then((body) => ({ contentType: output.mediaType.name, body }));
    case 'protobuf': {
      const kind = builtinScheme().kind({ group: '', version: 'v1', kind: 'Status' });
      return kind === undefined
        ? encodeJSONStatus(status, false)
        : { contentType: output.mediaType.name, body: encodeProtobuf(status as KubeObject, kind.schema) };
    }
    case 'cbor':
      return { contentType: output.mediaType.name, body: encodeCBOR(status) };
    case 'json': {
      const question = request.url?.indexOf('?') ?? -1;
      const query = parseQuery(question < 0 ? '' : (request.url ?? '').slice(question + 1));
      return encodeJSONStatus(status, output.pretty || wantsPretty(query, request.headers['user-agent']));
    }
    default:
      return output.mediaType.format satisfies never;
  }
}

/** JSON; compact JSON ends in a newline, indented JSON does not, as Go's encoders have it. */
export function encodeJSONStatus(status: Status, pretty: boolean): EncodedStatus {
  return {
    contentType: 'application/json',
    body: Buffer.from(
      pretty ? escapeHTML(JSON.stringify(status, undefined, 2)) : `${escapeHTML(JSON.stringify(status))}\n`,
    ),
  };
}
