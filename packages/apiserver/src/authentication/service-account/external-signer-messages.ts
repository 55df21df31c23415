import { WireReader } from '@kubechain/apimachinery/wire';

/** Messages of k8s.io/externaljwt/apis/v1, as far as they are read. All throw wire errors for what is none. */

/** A key as the signer tells it. */
export interface ToldKey {
  readonly id: string;
  /** PKIX. */
  readonly der: Buffer;
  readonly excludedFromDiscovery: boolean;
}

/** FetchKeysResponse. */
export interface ToldKeys {
  readonly keys: readonly ToldKey[];
  /** When the keys were taken from where they are kept. */
  readonly dataTimestampSeconds: number;
  readonly refreshHintSeconds: number;
}

/** SignJWTResponse: first and last part of a token. */
export function readSignature(message: Buffer): { readonly header: string; readonly signature: string } {
  const reader = new WireReader(message);
  let header = '';
  let signature = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) header = reader.text();
    else if (tag === 0x12) signature = reader.text();
    else reader.skip(tag);
  }
  return { header, signature };
}

/** MetadataResponse: seconds. */
export function readMaxExpiration(message: Buffer): number {
  const reader = new WireReader(message);
  let seconds = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x08) seconds = Number(reader.int64());
    else reader.skip(tag);
  }
  return seconds;
}

/** FetchKeysResponse. */
export function readKeys(message: Buffer): ToldKeys {
  const reader = new WireReader(message);
  const keys: ToldKey[] = [];
  let dataTimestampSeconds = 0;
  let refreshHintSeconds = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) keys.push(readKey(reader.bytes()));
    else if (tag === 0x12) dataTimestampSeconds = readSeconds(reader.bytes());
    else if (tag === 0x18) refreshHintSeconds = Number(reader.int64());
    else reader.skip(tag);
  }
  return { keys, dataTimestampSeconds, refreshHintSeconds };
}

function readKey(message: Buffer): ToldKey {
  const reader = new WireReader(message);
  let id = '';
  let der: Buffer = Buffer.alloc(0);
  let excludedFromDiscovery = false;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) id = reader.text();
    else if (tag === 0x12) der = reader.bytes();
    else if (tag === 0x18) excludedFromDiscovery = reader.bool();
    else reader.skip(tag);
  }
  return { id, der, excludedFromDiscovery };
}

/** google.protobuf.Timestamp. */
function readSeconds(message: Buffer): number {
  const reader = new WireReader(message);
  let seconds = 0;
  let nanos = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x08) seconds = Number(reader.int64());
    else if (tag === 0x10) nanos = Number(reader.int64());
    else reader.skip(tag);
  }
  return seconds + nanos / 1e9;
}
