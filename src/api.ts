import { createApi } from 'plinth/api/api'
import { app } from '@/register'

export const api = createApi(app.modules)
