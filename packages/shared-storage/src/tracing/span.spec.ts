import { expect } from 'chai';
import { activeSpan, step, traced, withoutSpan, withSpan, type Span } from './span.ts';

/** Tells what becomes of it. */
class NotedSpan implements Span {
  readonly traceID = 'trace';
  readonly traceparent = 'parent';
  over = false;
  readonly notes: string[];
  readonly name: string;

  constructor(name: string, notes: string[]) {
    this.name = name;
    this.notes = notes;
  }
  child(name: string): Span {
    return new NotedSpan(`${this.name}/${name}`, this.notes);
  }
  event(): void {
    throw new TypeError('not expected');
  }
  set(): void {
    throw new TypeError('not expected');
  }
  end(error?: unknown): void {
    this.notes.push(error instanceof Error ? `${this.name}: ${error.message}` : this.name);
  }
}

describe('the step that work belongs to', () => {
  it('is none outside of requests', () => {
    expect(activeSpan()).to.equal(undefined);
  });

  it('is that of whoever began the work, through promises and timers', async () => {
    const span = new NotedSpan('a', []);
    const seen = await withSpan(span, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return [activeSpan(), withoutSpan(activeSpan)];
    });
    expect(seen).to.deep.equal([span, undefined]);
  });

  it('is none once the request has been answered', async () => {
    const span = new NotedSpan('a', []);
    const seen = withSpan(span, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return activeSpan();
    });
    span.over = true;
    expect(await seen).to.equal(undefined);
  });

  it('has steps of its own where it is traced', async () => {
    const span = new NotedSpan('a', []);
    const work = (within: Span | undefined): Promise<string | undefined> =>
      Promise.resolve((within as NotedSpan | undefined)?.name);
    expect(await withSpan(span, () => traced('b', () => ({}), work))).to.equal('a/b');
  });

  it('is worked in without a step, and nothing is told of it, where it is not traced', async () => {
    const seen = traced(
      'b',
      () => {
        throw new TypeError('not expected');
      },
      (within) => Promise.resolve(within),
    );
    expect(await seen).to.equal(undefined);
  });

  it('ends with its work, which may fail', async () => {
    const notes: string[] = [];
    const span = new NotedSpan('a', notes);
    const name = await step(span, 'b', { work: () => (activeSpan() as NotedSpan).name });
    expect(name).to.equal('a/b');
    const failed = step(span, 'c', {
      work: () => Promise.reject(new RangeError('too far')),
    });
    expect(await failed.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    expect(notes).to.deep.equal(['a/b', 'a/c: too far']);
  });
});
