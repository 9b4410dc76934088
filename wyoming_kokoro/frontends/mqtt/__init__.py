"""The MQTT door: what rooms are told and what they tell, through a broker."""
