import type { Express, Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '../request/filter.ts';

/** Adds routes and middleware to the application. Called once, before it answers its first request. */
export type ExpressInstaller = (app: Express) => void;

/** What is called when the application has no route for a request (no error), or when one failed. */
export type ExpressNext = (request: IncomingMessage, response: ServerResponse, error?: unknown) => void;

/**
 * The Express application of a server, for documents off the hot path: 90 µs a request, where a Map look-up is none.
 * It is loaded by the first request for one of its paths: that takes 40 to 60 ms, which no start should wait for.
 */
export class ExpressDocuments {
  readonly #next: ExpressNext;
  readonly #installers: ExpressInstaller[] = [];
  #loaded: Promise<LoadedApp> | undefined = undefined;

  constructor(next: ExpressNext) {
    this.#next = next;
  }

  /** Adds routes. They may come at any time; those that come first win. */
  install(installer: ExpressInstaller): void {
    if (this.#loaded === undefined) this.#installers.push(installer);
    else
      void this.#loaded.then(({ app }) => {
        installer(app);
      });
  }

  readonly serve: Handler = (request, response) => {
    this.#loaded ??= load(this.#installers);
    this.#loaded
      .then((loaded) => {
        serve(loaded, request, response, (error) => {
          this.#next(request, response, error);
        });
      })
      .catch((error: unknown) => {
        this.#next(request, response, error);
      });
  };
}

/** The objects that Express makes the prototypes of a request and its response. */
type Prototypes = Pick<Express, 'request' | 'response'>;

interface LoadedApp {
  readonly app: Express;
  /** Express's own methods, which stand on HTTP/1's classes. */
  readonly methods: Prototypes;
  /** The same on the classes of other transports (HTTP/2, links), by the prototype of a request. */
  readonly byPrototype: Map<object, Prototypes>;
}

async function load(installers: readonly ExpressInstaller[]): Promise<LoadedApp> {
  const { default: express } = await import('express');
  const app = express();
  app
    .enable('case sensitive routing')
    .enable('strict routing')
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', false);
  for (const install of installers) install(app);
  return { app, methods: { request: express.request, response: express.response }, byPrototype: new Map() };
}

function prototypesFor(
  { app, byPrototype, methods }: LoadedApp,
  request: IncomingMessage,
  response: ServerResponse,
): Prototypes {
  const prototype = Object.getPrototypeOf(request) as object;
  let made = byPrototype.get(prototype);
  if (made === undefined) {
    made = {
      request: standOn(prototype, methods.request, app),
      response: standOn(Object.getPrototypeOf(response) as object, methods.response, app),
    };
    byPrototype.set(prototype, made);
  }
  return made;
}

function standOn<T extends object>(prototype: object, methods: T, app: Express): T {
  return Object.create(prototype, {
    ...Object.getOwnPropertyDescriptors(methods),
    app: { configurable: true, enumerable: true, writable: true, value: app },
  }) as T;
}

/** Must not yield between its two steps: Express reads its prototypes as it takes a request. */
function serve(
  loaded: LoadedApp,
  request: IncomingMessage,
  response: ServerResponse,
  next: (error: unknown) => void,
): void {
  Object.assign(loaded.app, prototypesFor(loaded, request, response));
  loaded.app(request as Request, response as Response, next);
}
