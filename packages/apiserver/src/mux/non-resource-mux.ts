import { recoverFromPanic } from '../responses/panic-recovery.ts';
import type { Handler } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import type { MetricsTarget } from '../request/server-request-context.ts';
import { ExpressDocuments, type ExpressInstaller } from './express-documents.ts';

/** How a path is registered. */
export interface MuxOptions {
  /** Shown at `/`. Default true. */
  readonly listed?: boolean;
  /** Also answers the path with slashes at its end, as go-restful services do. Default false. */
  readonly trailingSlash?: boolean;
}

interface Entry {
  readonly handler: Handler;
  readonly target: MetricsTarget;
}

/**
 * Routes everything that is not a resource request: health, metrics, version, discovery, OpenAPI, debug
 * (upstream's PathRecorderMux). Exact paths win, then the longest prefix, then whoever is next: the delegate.
 *
 * Paths live in Maps because they come and go with custom resources, and Express cannot forget a route. What stays as
 * it is may be routed by the server's Express application (`mount`).
 */
export class NonResourceMux {
  readonly #express = new ExpressDocuments((request, response, error) => {
    if (error !== undefined && error !== null) recoverFromPanic(request, response, error);
    else this.#notFound(request, response);
  });
  readonly #exact = new Map<string, Entry>();
  readonly #prefixes = new Map<string, Entry>();
  #prefixOrder: string[] = [];
  readonly #listed = new Set<string>();
  #notFound: Handler;

  constructor(options: { readonly notFound: Handler }) {
    this.#notFound = options.notFound;
  }

  /** Who answers paths that nobody here knows. */
  set notFound(handler: Handler) {
    this.#notFound = handler;
  }

  /** Registers an exact path; an earlier handler of it is replaced. */
  handle(path: string, handler: Handler, options: MuxOptions = {}): void {
    const entry: Entry = { handler, target: { group: '', version: '', resource: '', subresource: path } };
    this.#exact.set(path, entry);
    if (options.trailingSlash === true) this.#exact.set(`${path}/`, entry);
    if (options.listed !== false) this.#listed.add(path);
  }

  /** Registers everything below `path`, which ends in `/`. */
  handlePrefix(path: string, handler: Handler, options: MuxOptions = {}): void {
    if (!path.endsWith('/')) throw new TypeError(`${path} must end in a slash`);
    this.#prefixes.set(path, { handler, target: { group: '', version: '', resource: '', subresource: path } });
    // Most segments first, then the longest: the first match is the best.
    this.#prefixOrder = [...this.#prefixes.keys()].sort((a, b) => slashes(b) - slashes(a) || b.length - a.length);
    if (options.listed !== false) this.#listed.add(path);
  }

  /**
   * Leaves paths (prefixes, where they end in `/`) to Express, whose application `install` is given when it is first
   * needed.
   */
  mount(paths: readonly string[], install: ExpressInstaller, options: MuxOptions = {}): void {
    this.#express.install(install);
    for (const path of paths) {
      if (path.endsWith('/')) this.handlePrefix(path, this.#express.serve, options);
      else this.handle(path, this.#express.serve, options);
    }
  }

  /** Forgets a path or prefix. */
  remove(path: string): void {
    const entry = this.#exact.get(path);
    if (entry !== undefined && this.#exact.get(`${path}/`) === entry) this.#exact.delete(`${path}/`);
    this.#exact.delete(path);
    if (this.#prefixes.delete(path)) this.#prefixOrder = this.#prefixOrder.filter((prefix) => prefix !== path);
    this.#listed.delete(path);
  }

  /** Whether an exact path is registered. */
  has(path: string): boolean {
    return this.#exact.has(path);
  }

  /** Paths to show at `/`, in no order. */
  listedPaths(): Iterable<string> {
    return this.#listed;
  }

  readonly serve: Handler = (request, response) => {
    const context = serverContext(request);
    const { path } = context.requestInfo;
    const entry = this.#exact.get(path) ?? this.#withoutSlashes(path) ?? this.#prefixFor(path);
    if (entry === undefined) {
      this.#notFound(request, response);
      return;
    }
    context.metrics?.routed(context, entry.target);
    entry.handler(request, response);
  };

  /** What answers a path with several slashes at its end: who answers it with one as well. */
  #withoutSlashes(path: string): Entry | undefined {
    if (!path.endsWith('//')) return undefined;
    let end = path.length - 2;
    while (path[end - 1] === '/') end--;
    const entry = this.#exact.get(path.slice(0, end));
    return entry !== undefined && this.#exact.get(path.slice(0, end + 1)) === entry ? entry : undefined;
  }

  #prefixFor(path: string): Entry | undefined {
    for (const prefix of this.#prefixOrder) if (path.startsWith(prefix)) return this.#prefixes.get(prefix);
    return undefined;
  }
}

function slashes(path: string): number {
  let count = 0;
  for (const character of path) if (character === '/') count++;
  return count;
}
