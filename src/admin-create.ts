import { adminCreateCommand } from 'plinth/commands/admin-create'
import { app } from '@/register'

await adminCreateCommand(app)
