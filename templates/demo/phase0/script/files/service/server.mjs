import { createCounter } from '../../counter/code/counter.mjs';
import { createService } from './service.mjs';

createService(createCounter()).listen(Number(process.env.PORT), '127.0.0.1');
