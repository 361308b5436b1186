export type { HttpOptions } from './options.ts';
export type { Calls } from './routes/all-routes.ts';
export { createHttpServer, type HttpServer } from './server.ts';
export type { HealthCheck, HealthService, HttpServices } from './services.ts';
export type { FilePatch, PictureRequest, WorkspaceFolder, WorkspaceService } from './workspace-service.ts';
