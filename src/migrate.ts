import { migrateCommand } from 'plinth/commands/migrate'
import { modules } from '@/modules'

await migrateCommand(modules)
