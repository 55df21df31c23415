import type { WatchEvent } from '@kubechain/shared-storage';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import type { Turns } from '../../../request/turns.ts';
import type { IncludeObject } from '../parameters/table-options.ts';

/** Makes the frames of one watch. `frame` is synchronous unless it has to wait for a conversion or its turn. */
export interface EventEncoder {
  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array>;
  /**
   * The frame, where it has been made for another watch, or is being made, so that no turn is needed for it. Absent:
   * none is shared.
   */
  made?(event: WatchEvent): Uint8Array | Promise<Uint8Array> | undefined;
}

export interface EventEncoderOptions {
  readonly output: OutputMediaType;
  readonly includeObject: IncludeObject;
  /**
   * The watch's own: taken before the frame of a large object is made, where it is not the one that all watches share,
   * and, where it is of this watch alone, between its being read and its being written.
   */
  readonly turns: Pick<Turns, 'before'>;
  /**
   * The server's own: taken between the two steps of a frame that other watches may wait for by then. They must not
   * wait for all else that whoever began it does, nor fail with them.
   */
  readonly sharedTurns: Pick<Turns, 'before'>;
}
