export type { HttpLimits, HttpOptions } from './options.ts';
export type { Calls } from './routes/all-routes.ts';
export { createHttpServer, type HttpServer } from './server.ts';
export type {
  ArchiveFormat,
  BisectOutcome,
  BisectSearch,
  FeedService,
  FollowFrom,
  HealthCheck,
  HealthService,
  HttpServices,
  LogQuery,
  Page,
  RevertOutcome,
  StreamEvent,
  StreamItem,
  StreamReset,
  TimelineLine,
  VaultService,
} from './services.ts';
export type { FilePatch, WorkspaceFolder, WorkspaceService } from './workspace-service.ts';
