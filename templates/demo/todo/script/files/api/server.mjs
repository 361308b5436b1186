import { createStore } from '../../store/code/store.mjs';
import { createApi } from './api.mjs';

createApi(createStore()).listen(Number(process.env.PORT), '127.0.0.1');
