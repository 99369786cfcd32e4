# Prints every row of every game of a service until all games are final: follow-every-game-async.py URL KEY
import asyncio, json, sys
from sds_client import AsyncClient

async def follow(sds, game):
    async for row in sds.follow(game):
        print(json.dumps({"game": game, "row": row}, default=str))
async def main():
    sds, followed = AsyncClient(sys.argv[1], sys.argv[2]), {}
    while not followed or any(not each.done() for each in followed.values()):
        for game in await sds.games():
            if game["id"] not in followed:
                followed[game["id"]] = asyncio.create_task(follow(sds, game["id"]))
        await asyncio.sleep(1)
asyncio.run(main())
