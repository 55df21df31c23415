import type { WatchEvent } from '@kubechain/shared-storage';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import type { Turns } from '../../../request/turns.ts';
import type { IncludeObject } from '../parameters/table-options.ts';

/** Makes the frames of one watch. `frame` is synchronous unless it has to wait for a conversion or its turn. */
export interface EventEncoder {
  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array>;
}

export interface EventEncoderOptions {
  readonly output: OutputMediaType;
  readonly includeObject: IncludeObject;
  /** Taken before the frame of a large object is made, where it is not the one that all watches share. */
  readonly turns: Pick<Turns, 'before'>;
}
