/** How the server is set up; `httpDefaults` has what is left out. */
export interface HttpOptions {
  readonly token: string;
  /** Absolute path; texts of problems name no path outside of it. */
  readonly dataFolder: string;
  readonly version: string;
  readonly log: HttpLog;
  /** Values of Host that are served besides the loopback names, each with its port. */
  readonly hosts?: readonly string[];
  /** Origins of other sites whose pages may call; none where absent. */
  readonly origins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** Absolute path of the folder with the page; `/` leads to the documentation where absent. */
  readonly page?: string;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
}

export interface HttpLog {
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

export interface HttpLimits {
  readonly body_bytes: number;
  /** Levels of nesting in a JSON body. */
  readonly json_depth: number;
  readonly header_bytes: number;
  /** How long a request may take to arrive. */
  readonly request_ms: number;
  readonly open_streams: number;
  /** Refused tokens of one address: so many at once, then one in each `refused_every_ms`. */
  readonly refused_burst: number;
  readonly refused_every_ms: number;
  readonly heartbeat_ms: number;
  /** What an event stream sends is gathered for so long. */
  readonly batch_ms: number;
  /** A reader that takes nothing for so long is cut off. */
  readonly stalled_ms: number;
}

const LIMITS: HttpLimits = {
  body_bytes: 256 * 1024,
  json_depth: 32,
  header_bytes: 16 * 1024,
  request_ms: 30_000,
  open_streams: 2_000,
  refused_burst: 20,
  refused_every_ms: 3_000,
  heartbeat_ms: 15_000,
  batch_ms: 25,
  stalled_ms: 30_000,
};

/** The options with every default in place. */
export type HttpSetup = Required<Omit<HttpOptions, 'limits' | 'page'>> &
  Pick<HttpOptions, 'page'> & { readonly limits: HttpLimits };

export function httpSetup(options: HttpOptions): HttpSetup {
  return {
    hosts: [],
    origins: [],
    now: () => performance.now(),
    ...options,
    limits: { ...LIMITS, ...options.limits },
  };
}
