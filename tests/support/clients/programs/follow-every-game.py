# Prints every row of every game of a service until all games are final: follow-every-game.py URL KEY
import json, sys, threading, time
from sds_client import Client

sds = Client(sys.argv[1], sys.argv[2])
followed = {}
def follow(game):
    for row in sds.follow(game):
        sys.stdout.write(json.dumps({"game": game, "row": row}, default=str) + "\n")
while not followed or any(each.is_alive() for each in followed.values()):
    for game in sds.games():
        if game["id"] not in followed:
            followed[game["id"]] = threading.Thread(target=follow, args=[game["id"]])
            followed[game["id"]].start()
    time.sleep(1)
