import { expect } from 'chai';
import fc from 'fast-check';
import { ExtraSeats, type SeatedRequest } from './extra-seats.ts';

class Request implements SeatedRequest<Request> {
  readonly context: { readonly user: { readonly name: string } };
  readonly seats: number;
  readonly startMs = 0;
  sharer: SeatedRequest<Request>['sharer'];
  ofSharer: SeatedRequest<Request>['ofSharer'];
  long = false;
  extra = false;

  constructor(name: string, seats = 1) {
    this.context = { user: { name } };
    this.seats = seats;
  }
  get name(): string {
    return this.context.user.name;
  }
}

describe('extra seats', () => {
  let seats: ExtraSeats<Request>;
  const limit = 10;
  beforeEach(() => {
    seats = new ExtraSeats();
  });

  const running = (name: string, width = 1): Request => {
    const request = new Request(name, width);
    seats.begin(request);
    return request;
  };
  const waiting = (name: string, width = 1): Request => {
    const request = new Request(name, width);
    seats.wait(request);
    return request;
  };
  /** Lets those through who may. */
  const letThrough = (): string[] => {
    const names = [];
    for (const request of seats.fitting(limit, Infinity)) {
      names.push(request.name);
      seats.take(request);
      seats.begin(request);
    }
    return names;
  };

  it('are as many as are kept for long', () => {
    const kept = [running('eve', 2), running('eve')];
    for (const name of ['a', 'b', 'c', 'd']) waiting(name);
    expect(letThrough()).to.deep.equal([]);
    seats.look(kept, 250);
    expect(letThrough()).to.deep.equal([]);
    seats.look(kept, 251);
    expect([seats.kept, letThrough()]).to.deep.equal([3, ['a', 'b', 'c']]);
  });

  it('are as many as the limit says, at the most', () => {
    seats.look([running('eve', 100)], 1_000);
    for (let i = 0; i < 20; i++) waiting(`user-${i}`);
    expect(letThrough()).to.have.length(limit);
  });

  it('are apart from the ordinary ones as long as others are kept', () => {
    const kept = [running('eve'), running('eve')];
    seats.look(kept, 1_000);
    const extra = [waiting('a'), waiting('b')];
    letThrough();
    expect([seats.apart(limit), seats.apart(1)]).to.deep.equal([2, 1]);
    seats.end(kept[0]!);
    expect(seats.apart(limit)).to.equal(1);
    seats.end(extra[0]!);
    seats.release(extra[0]!);
    expect(seats.apart(limit)).to.equal(1);
    waiting('c');
    expect(letThrough(), 'one is kept and one in use').to.deep.equal([]);
  });

  it('are for the oldest request of a sharer that is not too wide', () => {
    seats.look([running('eve', 2)], 1_000);
    waiting('a', 3);
    waiting('a');
    waiting('b', 2);
    waiting('c');
    expect([...seats.fitting(limit, 0)]).to.have.length(0);
    expect(letThrough()).to.deep.equal(['a', 'c']);
  });

  it('are for whoever has waited longest without a request that runs', () => {
    const first = running('a');
    waiting('a');
    waiting('b');
    seats.end(first);
    seats.look([running('eve', 2)], 1_000);
    expect(letThrough()).to.deep.equal(['b', 'a']);
  });

  it('are for all sharers of whom requests wait and none runs, whatever has come and gone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(4), fc.nat(99), fc.nat(150)), { size: '+1' }),
        (steps: readonly (readonly [action: number, index: number, sharer: number])[]) => {
          seats = new ExtraSeats();
          seats.look([running('eve')], 1_000);
          let waits: Request[] = [];
          let runs: Request[] = [];
          const without = (from: Request[], one: Request): Request[] => from.filter((each) => each !== one);
          for (const [action, index, sharer] of steps) {
            const oneWaits = waits[index % Math.max(1, waits.length)];
            const oneRuns = runs[index % Math.max(1, runs.length)];
            if (action === 0) waits.push(waiting(`user-${sharer}`));
            if (action === 1) runs.push(running(`user-${sharer}`));
            if (action === 2 && oneWaits !== undefined) {
              seats.cancel(oneWaits);
              waits = without(waits, oneWaits);
            }
            if (action === 3 && oneWaits !== undefined) {
              seats.begin(oneWaits);
              waits = without(waits, oneWaits);
              runs.push(oneWaits);
            }
            if (action === 4 && oneRuns !== undefined) {
              seats.end(oneRuns);
              runs = without(runs, oneRuns);
            }
          }
          const served = new Set(runs.map(({ name }) => name));
          const starving = new Set(waits.map(({ name }) => name).filter((name) => !served.has(name)));
          expect(Array.from(seats.fitting(limit, 0), ({ name }) => name)).to.have.members([...starving]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
