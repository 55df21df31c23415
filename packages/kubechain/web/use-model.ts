import { useEffect, useState } from 'preact/hooks';
import type { Model } from './model.ts';

/** Draws the component again whenever the model has changed. */
export function useModel(model: Model): void {
  const [, draw] = useState(0);
  useEffect(() => model.subscribe(() => draw((count) => count + 1)), [model]);
}

/** What is loaded, or why it is not. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: string;
  /** Loads it once more. */
  readonly again: () => void;
}

/** Loads with `load`, when the key changes and every `everyMs`; undefined: once. */
export function useLoaded<T>(key: string, load: () => Promise<T>, everyMs?: number): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState('');
  const [round, setRound] = useState(0);
  useEffect(() => {
    let gone = false;
    const run = async (): Promise<void> => {
      try {
        const loaded = await load();
        if (gone) return;
        setValue(loaded);
        setError('');
      } catch (failure) {
        if (!gone) setError((failure as Error).message);
      }
    };
    void run();
    const timer = everyMs === undefined ? undefined : setInterval(() => void run(), everyMs);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [key, round, everyMs]);
  return { value, error, again: () => setRound((count) => count + 1) };
}
