import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalQuantity } from './canonical.ts';
import { Quantity } from './quantity.ts';

describe('Quantity', () => {
  const canonical: [input: string, output: string][] = [
    ['0', '0'],
    ['0n', '0'],
    ['0Ki', '0'],
    ['-0', '0'],
    ['+', '0'],
    ['.', '0'],
    ['1', '1'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['1024', '1024'],
    ['1Ki', '1Ki'],
    ['1024Mi', '1Gi'],
    ['1000M', '1G'],
    ['8Ki', '8Ki'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.5', '1500m'],
    ['2.5', '2500m'],
    ['0.25', '250m'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1.', '1.'],
    ['1.G', '1.G'],
    ['0.1Gi', '107374182400m'],
    ['1.5Gi', '1536Mi'],
    ['0.5Mi', '512Ki'],
    ['.001Ki', '1024m'],
    ['.000000000001Ki', '2n'],
    ['0.5Gi', '512Mi'],
    ['1e3', '1e3'],
    ['1E3', '1E3'],
    ['12e6', '12e6'],
    ['1.2e3', '1200'],
    ['1e4', '10e3'],
    ['100e-1', '10'],
    ['1E', '1E'],
    ['1E-3', '1E-3'],
    ['3.001n', '4n'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['1e-1000000000', '1e-9'],
    ['9Ei', '9223372036854775807'],
    ['9223372036854775807Ki', '9223372036854775807'],
    ['512Ki', '512Ki'],
    ['1000Ki', '1000Ki'],
    ['-1Ki', '-1Ki'],
    ['-8', '-8'],
    ['01', '01'],
    ['010', '010'],
    ['1.500', '1.500'],
    ['1000E', '1'],
    ['123456789012345678901', '123456789012345678901'],
  ];
  for (const [input, output] of canonical) {
    it(`writes ${input} as ${output}`, () => {
      expect(Quantity.parse(input).toString()).to.equal(output);
      expect(canonicalQuantity(input)).to.equal(output);
    });
  }

  const errors: [input: string, message: RegExp][] = [
    ['', /must match the regular expression/],
    ['abc', /must match/],
    ['1.1.M', /must match/],
    ['1+1.0M', /must match/],
    ['0.1mi', /suffix/],
    ['1 ', /must match/],
    ['0.1am', /must match/],
    ['aoeu', /must match/],
    ['.5i', /suffix/],
    ['1i', /suffix/],
    ['-3.01i', /suffix/],
    ['e', /suffix/],
    ['.Ei', /numeric/],
    ['1e99999999999999999999', /suffix/],
  ];
  for (const [input, message] of errors) {
    it(`refuses ${JSON.stringify(input)}`, () => expect(() => Quantity.parse(input)).to.throw(message));
  }

  it('has a limit of digits (quantityDigits)', () => {
    const wrong = 'unable to parse numeric part of quantity';
    for (const text of ['1'.repeat(1_001), `0.${'1'.repeat(1_000)}`, '1e1001', '1e20000000', `1e${'0'.repeat(40)}1001`])
      expect(() => Quantity.parse(text), text.slice(0, 20)).to.throw(wrong);
    expect(() => Quantity.parse(`1e${'9'.repeat(3_000_000)}`)).to.throw('suffix');
    expect(Quantity.parse(`${'0'.repeat(3_000_000)}17k`).wholeValue()).to.equal(17_000n);
    expect(Quantity.parse(`0.${'0'.repeat(3_000_000)}e9000`).toString()).to.equal('0');
    expect(Quantity.parse('1'.repeat(1_000)).toString()).to.equal('1'.repeat(1_000));
  });

  it('takes JSON numbers and trims white space when decoding', () => {
    expect(canonicalQuantity(1.5)).to.equal('1500m');
    expect(canonicalQuantity(' 2Gi\n')).to.equal('2Gi');
  });

  it('compares and adds exactly, also across huge exponents', () => {
    const q = (text_: string): Quantity => Quantity.parse(text_);
    expect(q('10000T').compare(q('100Gi'))).to.be.greaterThan(0);
    expect(q('1e900').compare(q('1'))).to.be.greaterThan(0);
    expect(q('1Ki').equals(q('1024'))).to.equal(true);
    expect(q('100m').add(q('1900m')).toString()).to.equal('2');
    expect(q('0').add(q('1Gi')).toString()).to.equal('1Gi');
    expect(q('1Gi').sub(q('512Mi')).toString()).to.equal('512Mi');
    expect(q('1500m').wholeValue()).to.equal(2n);
    expect(q('-1500m').wholeValue()).to.equal(-2n);
    expect(q('1.1').milliValue()).to.equal(1100n);
    expect(q('2').mul(3n).toString()).to.equal('6');
    expect(q('1e19').isInt64).to.equal(false);
    for (const text of ['1.5Gi', '1000m', '0.5Ki', '1.0']) expect(q(text).isInt64, text).to.equal(false);
    expect(q('1.5Gi').sub(q('1.5Gi')).isInt64).to.equal(false);
    expect([q('1Gi').isInt64, q('1k').add(q('1')).isInt64]).to.deep.equal([true, true]);
  });

  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.bigInt({ min: 0n, max: 10n ** 25n }),
      fc.option(fc.nat(99999)),
      fc.constantFrom(
        '',
        'n',
        'u',
        'm',
        'k',
        'M',
        'G',
        'T',
        'P',
        'Ki',
        'Mi',
        'Gi',
        'Ti',
        'Pi',
        'Ei',
        'e3',
        'E-4',
        'e12',
      ),
    )
    .map(([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${suffix}`);

  it('keeps its value through its own text', () => {
    fc.assert(
      fc.property(text, (t) => {
        const parsed = Quantity.parse(t);
        // The reference has no suffix beyond E and writes thousands of that without one: "1000E" comes back as "1".
        fc.pre(parsed.isZero || parsed.format === 'DecimalExponent' || parsed.wholeValue() % 10n ** 21n !== 0n);
        const again = Quantity.parse(parsed.toString());
        expect(again.compare(parsed)).to.equal(0);
        expect(Quantity.parse(again.toString()).toString()).to.equal(again.toString());
      }),
    );
  });

  it('recognises canonical text without parsing only where parsing gives the same', () => {
    fc.assert(
      fc.property(text, (t) => {
        expect(canonicalQuantity(t)).to.equal(Quantity.parse(t).toString());
      }),
    );
  });
});
