import { expect } from 'chai';
import { PieceRun } from './piece-run.ts';

const piece = (text: string): Buffer => Buffer.from(text);

describe('PieceRun', () => {
  it('is the same, and its bytes are made once, for all that got the same pieces', () => {
    const [a, b] = [piece('a\n'), piece('b')];
    const none = PieceRun.none();
    const first = [none.with(a), none.with(a)];
    const [one, other] = first.map((run) => run.with(b)) as [PieceRun, PieceRun];
    expect(one).to.equal(other);
    expect(one.plain()).to.equal(other.plain());
    expect(one.chunked()).to.equal(other.chunked());
  });

  it('has the pieces in order, together, each by itself, and as chunks', () => {
    const run = PieceRun.none()
      .with(piece('one'))
      .with(piece('x'.repeat(20)))
      .with(piece('end\n'));
    expect(run.length).to.equal(27);
    expect(run.plain().toString()).to.equal(`one${'x'.repeat(20)}end\n`);
    expect(run.pieces().map(String)).to.deep.equal(['one', 'x'.repeat(20), 'end\n']);
    expect(run.chunked().toString()).to.equal(`3\r\none\r\n14\r\n${'x'.repeat(20)}\r\n4\r\nend\n\r\n`);
  });

  it('leaves out what an answer did not get', () => {
    const [a, b, c] = [piece('a'), piece('b'), piece('c')];
    const none = PieceRun.none();
    const all = none.with(a);
    const some = none.with(b);
    const allOfTwo = all.with(b);
    expect([allOfTwo.with(c), some.with(c), all.with(c)].map((run) => run.plain().toString())).to.deep.equal([
      'abc',
      'bc',
      'ac',
    ]);
  });

  it('knows whether a line ends', () => {
    const run = PieceRun.none().with(piece('half'));
    expect([run.endsLine, run.with(piece('a\n')).endsLine]).to.deep.equal([false, true]);
  });
});
