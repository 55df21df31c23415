import {
  encodeYAML,
  formatDuration,
  isDecodeError,
  isFormatError,
  parseDuration,
  parseFieldSelector,
  parseJSON,
  parseLabelSelector,
  Quantity,
  readYAML,
  type KubeObject,
} from '@kubechain/apimachinery';
import { expect } from 'chai';
import { FuzzRandom } from '../fuzz/fuzz-random.ts';
import { goTool } from '../harness/go-tools.ts';
import { askGo, type ParserQuestion } from './go-parsers.ts';
import { fieldSelector, labelSelector, duration, plainValue, quantity, yamlText } from './texts.ts';
import { givenSeed } from '../fuzz/given-seed.ts';

const TEXTS = 5_000;

/** What is said to a text: a value as JSON, or that it is refused (with Go's words, where `words` is set). */
type Said = string | { readonly refused: string };

interface Comparison {
  readonly kind: ParserQuestion['kind'];
  readonly what: string;
  readonly text: (random: FuzzRandom) => string;
  /** As Go's answer reads. */
  readonly said: (text: string) => Said | Promise<Said>;
  /** Refusals are compared by their words; otherwise only that there is one. */
  readonly words: boolean;
}

const comparisons: readonly Comparison[] = [
  {
    kind: 'yaml',
    what: 'YAML with anchors, aliases, merge keys, tags, directives and mistakes',
    words: true,
    text: yamlText,
    said: async (text) => jsonOf((await readYAML(Buffer.from(text))).value),
  },
  {
    kind: 'to-yaml',
    what: 'values written as YAML',
    words: true,
    text: (random) => JSON.stringify(plainValue(random, 0)),
    said: async (text) => jsonOf((await encodeYAML(parseJSON(text) as KubeObject)).toString('utf8')),
  },
  {
    kind: 'duration',
    what: 'durations',
    words: true,
    text: duration,
    said: (text) => jsonOf(formatDuration(parseDuration(text))),
  },
  {
    kind: 'quantity',
    what: 'quantities',
    words: true,
    text: quantity,
    said: (text) => {
      const read = Quantity.parse(text);
      return jsonOf([read.toString()]);
    },
  },
  {
    kind: 'labels',
    what: 'label selectors',
    words: true,
    text: labelSelector,
    said: (text) => jsonOf(parseLabelSelector(text).toString()),
  },
  {
    kind: 'fields',
    what: 'field selectors',
    words: true,
    text: fieldSelector,
    said: (text) => jsonOf(parseFieldSelector(text).toString()),
  },
];

describe("Kubernetes' own parsers", () => {
  // The same texts in each run: what a new one finds is for who asks for it.
  const seed = givenSeed();
  for (const { kind, said, text, what, words } of comparisons) {
    it(`agree about ${what} (seed ${seed})`, async function () {
      this.timeout(300_000);
      const random = new FuzzRandom(seed);
      const texts = Array.from({ length: TEXTS }, () => text(random));
      const answers = await askGo(
        await goTool('parsers'),
        texts.map((input) => ({ kind, input })),
      );
      const differences: string[] = [];
      let values = 0;
      for (const [i, input] of texts.entries()) {
        const answer = answers[i] ?? { error: 'no answer' };
        const ours = await outcome(() => said(input));
        const theirs: Said =
          'error' in answer ? { refused: answer.error } : jsonOf(firstOf(kind, JSON.parse(answer.value) as unknown));
        if (typeof theirs === 'string') values++;
        const same =
          typeof ours === 'string' || typeof theirs === 'string' || words
            ? JSON.stringify(ours) === JSON.stringify(theirs)
            : true;
        if (!same) differences.push(`${JSON.stringify(input)}: ${JSON.stringify(ours)}, Go: ${JSON.stringify(theirs)}`);
      }
      expect(values).to.be.greaterThan(TEXTS / 100);
      expect(differences.slice(0, 10).join('\n')).to.equal('');
    });
  }
});

async function outcome(say: () => Said | Promise<Said>): Promise<Said> {
  try {
    return await say();
  } catch (error) {
    if (isDecodeError(error) || isFormatError(error)) return { refused: error.message };
    throw error;
  }
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one));
}

/** Of a quantity Go gives its numbers as well. */
function firstOf(kind: ParserQuestion['kind'], value: unknown): unknown {
  return kind === 'quantity' && Array.isArray(value) ? value.slice(0, 1) : value;
}
