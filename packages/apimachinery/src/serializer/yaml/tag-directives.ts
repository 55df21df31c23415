import { refusal } from './cursor.ts';
import type { TagDirective, WrittenTag } from './scan-tag.ts';
import type { Scanner } from './scanner.ts';

export const YAML_TAG = 'tag:yaml.org,2002:';

/** What tags of a document are short for. */
export class TagDirectives {
  readonly #prefixes = new Map<string, string>();

  /** Reads the directives before a document. @throws DecodeError with go-yaml's text */
  static read(scanner: Scanner): TagDirectives {
    const tags = new TagDirectives();
    let versioned = false;
    for (let token = scanner.peek(); token.kind === 'directive'; token = scanner.peek()) {
      const { directive, line } = token;
      if (directive?.kind === 'version') {
        if (versioned) throw refusal('found duplicate %YAML directive', line);
        if (directive.major !== 1 || directive.minor !== 1) throw refusal('found incompatible YAML document', line);
        versioned = true;
      } else if (directive !== undefined) tags.#add(directive, line);
      scanner.skip();
    }
    return tags;
  }

  #add({ handle, prefix }: TagDirective, line: number): void {
    if (this.#prefixes.has(handle)) throw refusal('found duplicate %TAG directive', line);
    this.#prefixes.set(handle, prefix);
  }

  /** The whole tag; undefined for a handle that no directive names. */
  resolve({ handle, suffix }: WrittenTag): string | undefined {
    if (handle === '') return suffix;
    const prefix = this.#prefixes.get(handle) ?? (handle === '!' ? '!' : handle === '!!' ? YAML_TAG : undefined);
    return prefix === undefined || prefix + suffix === '' ? undefined : prefix + suffix;
  }
}
