import type { WatchEvent } from '@kubechain/shared-storage';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import type { IncludeObject } from '../parameters/table-options.ts';

/** Makes the frames of one watch. `frame` is synchronous unless a conversion has to wait. */
export interface EventEncoder {
  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array>;
}

export interface EventEncoderOptions {
  readonly output: OutputMediaType;
  readonly includeObject: IncludeObject;
}
