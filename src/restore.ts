import { restoreCommand } from 'plinth/commands/restore'
import { app } from '@/register'

await restoreCommand(app)
