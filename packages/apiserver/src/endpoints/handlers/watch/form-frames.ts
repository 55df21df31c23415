import type { WatchEvent } from '@kubechain/shared-storage';
import type { RequestScope } from '../request-scope.ts';

/**
 * Frames are kept until this many bytes of younger ones exist in the process: long enough for all watches of an event,
 * short enough that the history window does not hold every object twice.
 */
const keptBytes = 8 * 1024 * 1024;

interface KeptFrame {
  readonly frames: WeakMap<object, Uint8Array>;
  readonly event: object;
  readonly bytes: number;
}

class FrameMemory {
  /** Oldest first. */
  readonly #kept = new Set<KeptFrame>();
  #bytes = 0;

  keep(frame: KeptFrame): void {
    this.#kept.add(frame);
    this.#bytes += frame.bytes;
    for (const oldest of this.#kept) {
      if (this.#bytes <= keptBytes || this.#kept.size === 1) break;
      this.#kept.delete(oldest);
      oldest.frames.delete(oldest.event);
      this.#bytes -= oldest.bytes;
    }
  }
}

const memory = new FrameMemory();

/**
 * Frames in one form, and of one version of a resource, that depend on the event alone: each is made once for all
 * watches that get it.
 */
export class FormFrames {
  readonly #frames = new WeakMap<object, Uint8Array>();
  readonly #making = new WeakMap<object, Promise<Uint8Array>>();

  /**
   * That which another watch has had made, or has made now, which fails for all that wait for it; always undefined of
   * bookmarks and errors, which are each watch's own.
   */
  made(event: WatchEvent): Uint8Array | Promise<Uint8Array> | undefined {
    return 'record' in event ? (this.#frames.get(event) ?? this.#making.get(event)) : undefined;
  }

  /** The same, or what `make` gives, which must not depend on the watch: others get it, or what it fails with. */
  once(event: WatchEvent, make: () => Uint8Array | Promise<Uint8Array>): Uint8Array | Promise<Uint8Array> {
    const made = this.made(event);
    if (made !== undefined) return made;
    const frame = make();
    if (!(frame instanceof Promise)) return this.#keep(event, frame);
    const making = frame.then((bytes) => this.#keep(event, bytes));
    this.#making.set(event, making);
    const over = (): void => {
      this.#making.delete(event);
    };
    making.then(over, over);
    return making;
  }

  #keep(event: WatchEvent, frame: Uint8Array): Uint8Array {
    if (!('record' in event)) return frame;
    this.#frames.set(event, frame);
    memory.keep({ frames: this.#frames, event, bytes: frame.length });
    return frame;
  }
}

/** A form of frames, by the version of a resource. */
export class WatchForm {
  readonly #ofScopes = new WeakMap<RequestScope, FormFrames>();

  of(scope: RequestScope): FormFrames {
    let frames = this.#ofScopes.get(scope);
    if (frames === undefined) this.#ofScopes.set(scope, (frames = new FormFrames()));
    return frames;
  }
}
